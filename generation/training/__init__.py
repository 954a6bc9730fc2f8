"""Train a language model for this task: samples in, an adapter or a model out."""
