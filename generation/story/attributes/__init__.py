"""Attributes of characters: roles, qualities and descriptive phrases."""
