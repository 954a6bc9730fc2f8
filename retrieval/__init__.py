"""Index a book and find its passages; `types.py` defines the values."""
