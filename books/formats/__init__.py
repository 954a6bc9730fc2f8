"""One reader per format: each turns bytes into text and what the markup says about it."""
