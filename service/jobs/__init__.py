"""Durable jobs: an ingest is a workflow whose steps are the stages in `stages.py`. See `engine.py`."""
