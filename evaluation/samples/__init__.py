"""Offline answers about the main characters of ten novels, to be read by people."""
