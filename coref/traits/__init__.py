"""What the book says a character is like: deeds, qualities, possessions and ties, found in its grammar."""
