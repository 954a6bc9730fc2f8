"""Readers' corrections: the log of decisions, how each is applied, and what it changes."""
