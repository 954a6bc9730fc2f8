"""Names and people: whose a name is, what is listed as a character, who may be one and who may be two."""
