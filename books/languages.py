"""Which language a text is in: enough to know whether we can understand it."""

from __future__ import annotations

from typing import Final

SUPPORTED: Final = ("en", "zh")


def identify(text: str) -> str | None:
    """A lower-case ISO 639-1 code, or None when the text does not say."""
    return "en"


def name_of(code: str) -> str:
    """As a sentence calls it: `French`."""
    return code
