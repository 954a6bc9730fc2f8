"""Direct speech, its speakers and addressees; letters, plays and narrators."""
