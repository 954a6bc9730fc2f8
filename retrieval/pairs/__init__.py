"""Read a claim or a question together with a passage."""
