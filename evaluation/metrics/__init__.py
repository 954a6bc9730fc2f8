"""Many measures of how good a portrait is."""
