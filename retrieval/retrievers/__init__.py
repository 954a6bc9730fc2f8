"""Ways of choosing passages; `retrieval.registry` names them."""
