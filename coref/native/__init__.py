"""The literary model: one encoder over the words of a book; heads that find mentions and say who is who."""
