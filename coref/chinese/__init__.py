"""The people of a Chinese novel, found by rules over the words of jieba's dictionary."""
