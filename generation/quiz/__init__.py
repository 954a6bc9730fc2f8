"""Questions to readers: which of these happened so far, and what is wrong with a summary."""
