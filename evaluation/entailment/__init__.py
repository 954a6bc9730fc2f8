"""Training of the entailment head on the corpus: pairs of a claim and sentences of the book."""
