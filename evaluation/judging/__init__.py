"""How far a judge of facts can be trusted: what it says of facts known to be true or false."""
