"""What can go wrong in measuring."""

from __future__ import annotations

from books.errors import BookwormError


class MetricUnavailable(BookwormError):
    """Nobody knows a metric of that name, or what it needs is not here."""

    code = "metric_unavailable"
    remedy = "Leave the metric out, or give the model or the package that it needs."
