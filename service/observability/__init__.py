"""What the service says of itself: logs, metrics, traces. Never the text of a book, a name or a key."""
