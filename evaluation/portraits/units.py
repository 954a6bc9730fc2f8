"""What is drawn anew to see how sure a mean is."""

from __future__ import annotations

from enum import StrEnum


class Unit(StrEnum):
    PEOPLE = "people"
    """With all references of each."""
    BOOKS = "books"
    """Wider, and it holds for other books."""
