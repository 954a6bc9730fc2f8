"""Judges decide whether the book supports a claim."""
