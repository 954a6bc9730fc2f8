"""BookNLP: reads and writes its output files, and runs the real program in an interpreter of its own."""
