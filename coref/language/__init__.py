"""English grammar: words, sentences, the parse, lemmas, factuality and word lists. It knows no characters."""
