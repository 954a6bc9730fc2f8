"""A small model that reads a claim with sentences of the book: supported, contradicted, or neither."""
