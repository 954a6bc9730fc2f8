"""English as such: words, sentences, the parse, lemmas, factuality, and the word lists. It knows no characters."""
