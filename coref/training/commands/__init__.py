"""`bookworm train …` for the literary model. Part of the command line."""
