"""Measure how many of a novel's passages about its main characters each retriever finds."""
