"""Alembic migrations: how the tables developed, one dated file per step. `db/schema.py` runs them."""
