"""Engines that turn text into vectors; `retrieval.registry` names them."""
