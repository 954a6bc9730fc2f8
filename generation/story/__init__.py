"""What a book says about its characters: relations, quotations and company, with citations."""
