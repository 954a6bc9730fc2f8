"""Coreference: who is mentioned where in a book, who speaks, and what the text states of each character.

`types.py` holds the values, and `registry.py` the resolvers that produce them.
"""
