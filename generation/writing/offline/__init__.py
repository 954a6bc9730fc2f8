"""A writer without a language model, which composes answers from what the book says about a character."""
