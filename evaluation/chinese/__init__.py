"""Chinese novels: texts to learn names from, chapters marked by hand, and what the resolver finds in them."""
