"""Encode people in sentences as single characters, so that regular expressions can match who does what.

A mention in a sentence becomes one private-use character that says whether it is the person asked about or
somebody else, and what its form shows about its role in the sentence (name, subject, object, possessor,
reflexive). Patterns over such text read like grammar: `[SUBJECT] was [ADJECTIVE]`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from books.types import Span
from generation.lexicon import words

ROOM = 64
"""Maximum number of slots in a sentence. Further mentions are not encoded."""
_BASE = 0xE000
PARTS = ("name", "subject", "object", "possessor", "reflexive")


def _plane(who: int, part: str) -> str:
    low = _BASE + (who * len(PARTS) + PARTS.index(part)) * ROOM
    return f"{chr(low)}-{chr(low + ROOM - 1)}"


NAME, SUBJECT, OBJECT, POSSESSOR, REFLEXIVE = (_plane(0, part) for part in PARTS)
OTHER_NAME, OTHER_SUBJECT, OTHER_OBJECT, OTHER_POSSESSOR, OTHER_REFLEXIVE = (_plane(1, p) for p in PARTS)
ANY = f"{chr(_BASE)}-{chr(_BASE + 2 * len(PARTS) * ROOM - 1)}"

_FORMS = {
    "i": "subject", "he": "subject", "she": "subject", "they": "subject", "we": "subject",
    "me": "object", "him": "object", "them": "object", "us": "object",
    "my": "possessor", "his": "possessor", "their": "possessor", "our": "possessor",
    "mine": "reflexive", "hers": "reflexive", "theirs": "reflexive",
}  # fmt: skip
_WORD = re.compile(r"\s*([A-Za-z’'-]+|[^\sA-Za-z])")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class PersonSlot:
    """One mention inside a sentence."""

    span: Span
    character: str
    target: bool
    part: str


@dataclass(frozen=True, slots=True)
class CodedSentence:
    """A sentence encoded by `encode`."""

    span: Span
    chapter: int
    coded: str
    slots: tuple[PersonSlot, ...]

    def slot(self, code: str) -> PersonSlot:
        """Return the slot of a coded character. A plane contains indexes of `slots`."""
        return self.slots[(ord(code) - _BASE) % ROOM]


def part_of(surface: str, following: str) -> str:
    """Return the role of a form. "her" before a noun is a possessor."""
    low = surface.lower()
    if low.endswith(("self", "selves")):
        return "reflexive"
    if low == "her":
        match = _WORD.match(following)
        return "possessor" if match and _starts_noun(match.group(1)) else "object"
    return _FORMS.get(low, "name")


def encode(text: str, span: Span, slots: tuple[PersonSlot, ...]) -> str:
    """Return the sentence on one line with its mentions coded."""
    pieces = [(slot.span, _code(at, slot)) for at, slot in enumerate(slots)]
    out: list[str] = []
    at = span.start
    for stretch, code in sorted(pieces):
        if stretch.start >= at:
            out += (text[at : stretch.start], code)
            at = stretch.end
    out.append(text[at : span.end])
    return _SPACE.sub(" ", "".join(out)).strip()


def _code(at: int, slot: PersonSlot) -> str:
    who = 0 if slot.target else 1
    return chr(_BASE + (who * len(PARTS) + PARTS.index(slot.part)) * ROOM + at)


def _starts_noun(word: str) -> bool:
    if not word[0].isalpha():
        return False
    low = word.lower()
    if low in words("looks") or low in words("traits"):
        return True
    closed = (
        low in ("how", "why", "everything", "all", "nothing", "both")
        or low in words("dangling")
        or low in words("adverbs")
        or low in words("opaque")
    )
    return not (closed or low.endswith("ly") or low in ("back", "away", "up", "down", "there", "forward"))
