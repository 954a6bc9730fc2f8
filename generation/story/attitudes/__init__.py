"""Attitudes of one character towards another and events between two: love, dislike, marriage, killing."""
