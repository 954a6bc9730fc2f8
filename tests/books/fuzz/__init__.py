"""Valid files broken at random: whatever becomes of them, it is a book or an error with a code."""
