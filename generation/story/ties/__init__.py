"""Kinship and other relations between two people."""
