"""A writer without a language model: it composes answers from what the book says of a person."""
