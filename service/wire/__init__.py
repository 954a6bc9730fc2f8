"""Pydantic models for the JSON of the API and of the command line, with conversions from domain values."""
