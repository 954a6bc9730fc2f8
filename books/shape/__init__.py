"""The shape of a novel: what is the story, its chapters and paragraphs, and the marks of a play."""
