"""Errors of metrics."""

from __future__ import annotations

from books.errors import BookwormError


class MetricUnavailable(BookwormError):
    """The metric is unknown, or something that it needs is missing."""

    code = "metric_unavailable"
    remedy = "Leave the metric out, or give the model or the package that it needs."
