"""Measure how reliable a judge of facts is: its verdicts on facts known to be true or false."""
