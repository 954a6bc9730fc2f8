"""Errors of the comparison of systems."""

from __future__ import annotations


class SystemUnknown(ValueError):
    """The system is unknown, or it lacks the language model that it needs."""


class RunInUse(ValueError):
    """Another process is writing into the same report."""
