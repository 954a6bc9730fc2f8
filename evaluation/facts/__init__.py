"""Facts about people of novels, each with its category, and how well a classifier predicts it."""
