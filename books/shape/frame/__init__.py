"""What surrounds or interrupts the story: licence texts, notes, page numbers, a transcriber's remarks."""
