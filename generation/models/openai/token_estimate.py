"""How many tokens a text has, guessed from above, for servers that do not say.

A word of up to six small letters is taken for one token, a name for one and another for each two letters
beyond its fourth, each mark, digit, line end and each character that is not ASCII (Chinese above all) for
one; and a margin on top. On nine novels that was 13% to 19% above what tokenizers of 30,000 to 200,000 pieces
count. Too many is the safe side: a prompt that turns out too long is refused or cut by the server.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from generation.models.types import Message

MARGIN = 1.1
AROUND_MESSAGE = 8
"""Who speaks, and where it begins and ends."""
AROUND_PROMPT = 40
"""The beginning, the answer's opening, and what some templates say of themselves (Llama 3.1: two dates)."""

_PIECE = re.compile(r"[a-z]+|[A-Z][a-z]*|\s*\n+|[^\sA-Za-z]")


def estimate(text: str) -> int:
    return math.ceil(MARGIN * sum(map(_weight, _PIECE.findall(text))))


def estimate_prompt(messages: Sequence[Message]) -> int:
    return AROUND_PROMPT + sum(AROUND_MESSAGE + estimate(m.content) for m in messages)


def _weight(piece: str) -> float:
    if "a" <= piece[0] <= "z":
        return 1 + max(0, len(piece) - 6) / 8
    if "A" <= piece[0] <= "Z":
        return 1 + max(0, len(piece) - 4) / 2
    return 1.0
