"""How good a portrait is, by many measures."""
