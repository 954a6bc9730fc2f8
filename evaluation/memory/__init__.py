"""Measure what a reader of a book remembers, as NarrativeXL does, by the words read since."""
