"""Texts that others have written about characters: read, match with books, filter, split, count."""
