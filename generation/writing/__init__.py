"""From a prompt to a draft by a language model: templates, strategies, citations, what went wrong."""
