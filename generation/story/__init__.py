"""What a book says of its people: ties, attitudes, attributes, events and company, with the places it rests on."""
