"""The unit of resampling, which determines how certain a mean is."""

from __future__ import annotations

from enum import StrEnum


class Unit(StrEnum):
    PEOPLE = "people"
    """Each with all references of that person."""
    BOOKS = "books"
    """Wider intervals, which generalise to other books."""
