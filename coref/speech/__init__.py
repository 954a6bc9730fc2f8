"""Direct speech with its speakers and addressees, letters, plays and narrators."""
