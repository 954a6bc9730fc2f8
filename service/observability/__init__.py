"""Logs, metrics and traces. They never contain the text of a book, a name or a key."""
