"""What can go wrong in comparing systems."""

from __future__ import annotations


class SystemUnknown(ValueError):
    """Nobody knows a system of that name, or it lacks the language model that it needs."""


class RunInUse(ValueError):
    """Another process is writing into the same report."""
