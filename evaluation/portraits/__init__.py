"""Compare systems that describe characters: on which books, against which references, how good."""
