"""Valid files broken at random: each gives a book or an error with a code."""
