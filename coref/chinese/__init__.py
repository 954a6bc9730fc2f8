"""The people of a Chinese novel, by rules over the words that jieba finds."""
