"""Find the places of a book that answer a question."""
