"""Fact checking: texts are split into claims, and each claim is judged against evidence from the book."""
