"""Blocks and paragraphs of the text itself, and the parts that stand before and after the story."""
