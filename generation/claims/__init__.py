"""Splitting a text into claims: one proposition each, with names in place of pronouns."""

from generation.claims.offline import extract

__all__ = ["extract"]
