"""Direct speech: where it stands in a book, who says it, and to whom."""
