"""Annotations in other formats: JSON, JSON Lines, CoNLL-2012 and BookNLP's files."""
