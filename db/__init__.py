"""Store everything that persists: tables, repositories and artefacts; `types.py` defines the values."""
