"""Measures on the key facts of the corpus: what is found, cited, stated and borne out."""
