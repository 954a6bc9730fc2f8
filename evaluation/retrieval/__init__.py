"""How much of what a novel says of its main characters each retriever finds."""
