"""How well a language model follows a text by the position in it, and beyond the length it was trained on."""
