"""Durable jobs: an ingest is a workflow whose steps are the stages of `stages.py`. See `engine.py`."""
