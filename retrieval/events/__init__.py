"""A trained eye for the sentences from which a reader sees what happens in a chapter."""
