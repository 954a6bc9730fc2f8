"""Search in one book: exact words and phrases first, meaning second, and a plain no."""
