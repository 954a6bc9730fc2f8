"""Write a draft for a prompt with a language model: templates, strategies, citations, faults of answers."""
