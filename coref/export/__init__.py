"""Exports of annotations: JSON, JSON Lines, CoNLL-2012 and BookNLP's files."""
