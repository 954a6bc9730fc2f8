"""Split a text into claims: one proposition each, with names in place of pronouns."""
