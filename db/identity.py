"""Ids for rows: short, opaque, and sortable by age, so that a page can continue where the last one ended."""

from __future__ import annotations

import secrets
import threading
import time

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no letter that looks like a digit, and in the order in which databases sort it."""
CLOCK_DIGITS = 11
"""Microseconds since 1970 fit until the year 3111."""
RANDOM_DIGITS = 7
BOOK = "bk"
"""Prefix of the ids of books."""

_lock = threading.Lock()
_last = 0


def make_id(prefix: str) -> str:
    """Return an id such as `bk_1kfz2vq04ac8t3hm0x`; later ids sort after earlier ones."""
    age = _digits(_tick(), CLOCK_DIGITS)
    chance = _digits(secrets.randbits(5 * RANDOM_DIGITS), RANDOM_DIGITS)
    return f"{prefix}_{age}{chance}"


def id_pattern(prefix: str) -> str:
    """Return the regular expression of the ids with this prefix."""
    return f"{prefix}_[{ALPHABET}]{{{CLOCK_DIGITS + RANDOM_DIGITS}}}"


def _tick() -> int:
    """Return the clock, advanced by at least one between two calls."""
    global _last
    with _lock:
        _last = max(time.time_ns() // 1000, _last + 1)
        return _last


def _digits(number: int, width: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(width)))
