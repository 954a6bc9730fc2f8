"""Measure Bookworm against annotated novels."""
