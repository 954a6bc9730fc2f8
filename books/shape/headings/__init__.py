"""Headings, and the chapters that they open: numbers, titles, contents, dates and letters."""
