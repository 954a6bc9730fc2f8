"""The literary model: one encoder over the words of a book, with heads for mentions and coreference."""
