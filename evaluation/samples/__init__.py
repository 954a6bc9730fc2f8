"""Offline answers about the main characters of ten novels, for people to read."""
