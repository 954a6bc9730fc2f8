"""Read books: one text, and its chapters, paragraphs and plays as spans; `types.py` defines the values."""
