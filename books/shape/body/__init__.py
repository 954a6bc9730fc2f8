"""Blocks and paragraphs of the text itself, and the parts before and after the story."""
