"""Measure how well books are read: chapters against a manual count, nothing lost, time and memory.

`checked.csv` holds the manual counts for 100 novels; the README beside it gives the conventions.
"""
