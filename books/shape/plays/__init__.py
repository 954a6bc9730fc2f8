"""Plays: speaker labels, stage directions, the list of characters."""
