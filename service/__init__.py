"""See `types.py` for the values of this room."""
