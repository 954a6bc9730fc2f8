"""Texts in requests. They are cleaned and limited in length before they are used."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from service.errors import TextMissing, TextTooLong

TEXT_MOST: Final = 20_000
"""Maximum characters of a text to check or compare: five times a long analysis."""
SOURCE_MOST: Final = 300
COMMENT_MOST: Final = 2_000

_ODD: Final = re.compile(r"[^\n\x20-\x7e]")
_GONE: Final = frozenset(("Cf", "Cc"))
"""Invisible characters, which are removed. Unassigned code points become U+FFFD."""
_NOTHING: Final = frozenset(("Co", "Cs", "Cn"))
_JOINERS: Final = "\u200c\u200d"
_ENDS: Final = re.compile(r"\r\n?|[\u0085\u2028\u2029]")


def clean(text: str, *, what: str, most: int = TEXT_MOST) -> str:
    """Normalizes line ends and tabs, and removes control characters. Raises TextMissing, TextTooLong."""
    if len(text) > most:
        raise TextTooLong(f"The {what} is longer than {most:,} characters.")
    plain = _plain(text)
    if not any(char.isalnum() for char in plain):
        raise TextMissing(f"The {what} contains no words.")
    return plain


def clean_line(text: str, *, what: str, most: int) -> str:
    """Does the same, and joins all lines into one."""
    return line(clean(text, what=what, most=most))


def line(text: str) -> str:
    """Does this for a title or a name of any length. Nothing may be left of it."""
    return " ".join(_plain(text).split())


def _plain(text: str) -> str:
    ends = _ENDS.sub("\n", text).replace("\t", " ")
    return _ODD.sub(lambda match: _shown(match.group()), ends).strip()


def _shown(char: str) -> str:
    kind = unicodedata.category(char)
    if kind in _NOTHING:
        return "\ufffd"
    return "" if kind in _GONE and char not in _JOINERS else char
