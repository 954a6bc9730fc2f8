"""English as such: words, sentences, the parse, lemmas, factuality, word lists. It knows no characters."""
