"""BookNLP: its output files read and written, and the real program run in an interpreter of its own."""
