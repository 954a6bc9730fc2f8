"""Proper names and the people who bear them: name clusters, gender, titles and the list of characters."""
