"""`bookworm evaluate …`: measure Bookworm on books of your own. Part of the command line."""
