"""Teaching a language model this work: examples in, an adapter or a model out."""
