"""The shape of a novel: what is the story, its chapters and paragraphs, and the markup of a play."""
