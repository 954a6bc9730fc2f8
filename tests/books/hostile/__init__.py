"""Files made to do harm, or so odd that they may as well be, and what must become of each."""
