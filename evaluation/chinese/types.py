"""The sizes of long samples and the two prompts about them, by their names in CNNSum."""

from __future__ import annotations

from enum import StrEnum


class WindowSize(StrEnum):
    L = "L"
    XL = "XL"
    XL2 = "2XL"
    XL3 = "3XL"


class LongPrompt(StrEnum):
    BEGINNING = "IB"
    """The instruction stands before the text."""
    END = "IE"
    """It stands behind the text."""
