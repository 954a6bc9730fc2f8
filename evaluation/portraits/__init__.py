"""Systems that describe characters, side by side: on which books, beside which references, how good."""
