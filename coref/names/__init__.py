"""Proper names and the people they belong to: clusters of names, gender, titles, the list of characters."""
