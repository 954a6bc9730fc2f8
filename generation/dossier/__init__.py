"""What a book says of one character, weighed: the evidence that the offline writer tells from."""
