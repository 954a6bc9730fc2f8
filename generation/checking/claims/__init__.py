"""Split a text into claims: one proposition each, with names in place of pronouns."""

from generation.checking.claims.offline_extractor import extract

__all__ = ["extract"]
