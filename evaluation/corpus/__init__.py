"""The corpus of our own: who the people of 65 novels are, with key facts, quotations and false facts."""
