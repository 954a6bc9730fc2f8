"""How much a key may do: a bucket of tokens for its rate, and what it has used of its day's quota."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

FRESH_SECONDS: Final = 1.0
"""How long a process believes what it read about keys: the delay with which a revocation takes effect."""


@dataclass(slots=True)
class Use:
    """What a key did on one day: what the database knows, and what it does not know yet."""

    day: date
    total: int = 0
    pending: int = 0
    written: float = float("-inf")

    def is_due(self, now: float) -> bool:
        """Whether what is pending has to be written."""
        return now - self.written >= FRESH_SECONDS

    def take(self, now: float) -> int:
        """What to write now; 0 when it is too early."""
        if not self.is_due(now):
            return 0
        amount, self.pending, self.written = self.pending, 0, now
        self.total += amount
        return amount


class Bucket:
    """A token bucket that holds one minute's worth."""

    __slots__ = ("seen", "tokens")

    def __init__(self, tokens: float, now: float) -> None:
        self.tokens = float(tokens)
        self.seen = now

    def take(self, now: float, *, per_minute: int) -> float:
        """0 when a token was there, else the seconds until one will be."""
        self.tokens = min(float(per_minute), self.tokens + (now - self.seen) * per_minute / 60)
        self.seen = now
        if self.tokens < 1:
            return (1 - self.tokens) * 60 / per_minute
        self.tokens -= 1
        return 0.0
