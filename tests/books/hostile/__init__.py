"""Files made to do harm, or so odd that they are treated the same, and the expected outcome of each."""
