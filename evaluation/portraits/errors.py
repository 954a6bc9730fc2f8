"""Errors of the comparison of systems."""

from __future__ import annotations

from books.errors import BookwormError


class SystemUnknown(ValueError):
    """The system is unknown, or it lacks the language model that it needs."""


class RunInUse(ValueError):
    """Another process is writing into the same report."""


class TaskUnsupported(BookwormError):
    """The system has no answers for this task."""

    code = "task_unsupported"
    remedy = "Leave the system out, or give it only references of the other task."
