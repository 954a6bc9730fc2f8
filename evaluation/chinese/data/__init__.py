"""Word lists and scenes for the training on Chinese names."""
