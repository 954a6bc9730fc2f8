"""Alembic: how the tables came to be, one dated file a step. `db/schema.py` runs them."""
