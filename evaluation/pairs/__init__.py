"""Lessons for the reader of pairs, and how well it reads."""
