"""`bookworm evaluate …`: measures Bookworm on your own books. Part of the command line."""
