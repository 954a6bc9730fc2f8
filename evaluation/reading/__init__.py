"""How well books are read: chapters against what a person counted, nothing lost, time and memory.

`checked.csv` holds what a person found in 100 novels; the README beside it says by which convention.
"""
