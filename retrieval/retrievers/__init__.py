"""Strategies for choosing passages; `retrieval.registry` names them."""
