"""A writer without a language model: it finds what the book says of a person and says it again, plainly."""
