"""Limits of an API key: a token bucket for its rate, and a counter for its daily quota."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

FRESH_SECONDS: Final = 1.0
"""How long a process caches keys, which is also the delay until a revocation takes effect."""


@dataclass(slots=True)
class Use:
    """Requests of a key on one day: those in the database, and those not yet written to it."""

    day: date
    total: int = 0
    pending: int = 0
    written: float = float("-inf")

    def is_due(self, now: float) -> bool:
        """Whether what is pending has to be written."""
        return now - self.written >= FRESH_SECONDS

    def take(self, now: float) -> int:
        """Returns the count to write now; 0 when it is too early to write."""
        if not self.is_due(now):
            return 0
        amount, self.pending, self.written = self.pending, 0, now
        self.total += amount
        return amount

    def give_back(self, amount: int) -> None:
        """Counts again as pending what could not be written."""
        self.total -= amount
        self.pending += amount


class Bucket:
    """A token bucket that holds one minute's worth."""

    __slots__ = ("seen", "tokens")

    def __init__(self, tokens: float, now: float) -> None:
        self.tokens = float(tokens)
        self.seen = now

    def take(self, now: float, *, per_minute: int) -> float:
        """Returns 0 when a token was available, otherwise the seconds until the next one."""
        self.tokens = min(float(per_minute), self.tokens + (now - self.seen) * per_minute / 60)
        self.seen = now
        if self.tokens < 1:
            return (1 - self.tokens) * 60 / per_minute
        self.tokens -= 1
        return 0.0
