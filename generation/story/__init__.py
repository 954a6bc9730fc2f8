"""What a book says of its people: ties, attitudes, attributes, events, company, each with its places."""
