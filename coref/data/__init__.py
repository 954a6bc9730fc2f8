"""Word lists: one entry a line, `#` starts a comment. Read through `coref.language.word_lists`."""
