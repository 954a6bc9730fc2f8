"""Measures on the key facts of the corpus."""
