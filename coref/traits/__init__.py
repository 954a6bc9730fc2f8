"""Traits of characters from the grammar of a book: actions, qualities, possessions and relations."""
