"""Timings and memory, by book length. Never part of the tests; results are kept in `results/`."""
