"""`bookworm evaluate …`: how well Bookworm works, measured on books of your own. Part of the command line."""
