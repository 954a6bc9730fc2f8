"""Measure summaries of chapters against the corpus: their main events, and what readers said."""
