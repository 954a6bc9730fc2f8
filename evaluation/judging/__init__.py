"""How far a judge of facts can be trusted: facts that are true or false of known books, and what it says of them."""
