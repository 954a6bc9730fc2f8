"""Exports of annotations: JSON, JSON Lines, CoNLL-2012, BookNLP's files, and tables for people."""
