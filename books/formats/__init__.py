"""One reader per format: bytes in, text and what the markup says out."""
