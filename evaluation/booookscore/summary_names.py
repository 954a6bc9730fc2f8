"""The names in a summary's sentences, by their capitals: enough to see who appears unexplained."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w’'-]*(?:\s+(?:(?:of|the|de|van|von|al|el)\s+)?[A-ZÀ-ÖØ-Þ][\w’'-]*)*")
_OWN = re.compile(r"['’]s$|['’]$")
_FIRST = re.compile(r"^\W*")
_EXPLAINED_AFTER = re.compile(r"(?:['’]s)?\s*(?:,\s*(?:a|an|the|who|whose|his|her|their|one)\b|\()")
_EXPLAINED_BEFORE = re.compile(
    r"(?:\b(?:named|called|as)"
    r"|\b(?i:an?|the|his|her|their|its|\w+['’]s)\b,?(?:\s+[a-z][\w-]*){1,4},?)\s*[\"“]?$"
)
_BEFORE = 60


@dataclass(frozen=True, slots=True)
class SummaryName:
    words: frozenset[str]
    explained: bool
    """Whether words beside it say who or what it is."""


def names_in(sentences: Sequence[str]) -> list[list[SummaryName]]:
    """Return the names of each sentence. A first word is a name if it is one elsewhere in the summary."""
    inside = Counter(
        word for sentence in sentences for match in _inner(sentence) for word in _words(match.group())
    )
    found: list[list[SummaryName]] = []
    for sentence in sentences:
        start = _start(sentence)
        names = []
        for match in _NAME.finditer(sentence):
            words = _words(match.group())
            if match.start() == start:
                words = [word for word in words if word in inside or (len(words) > 1 and word != words[0])]
            if words:
                names.append(SummaryName(frozenset(words), _explained(sentence, match)))
        found.append(names)
    return found


def _inner(sentence: str) -> list[re.Match[str]]:
    return [match for match in _NAME.finditer(sentence) if match.start() != _start(sentence)]


def _start(sentence: str) -> int:
    match = _FIRST.match(sentence)
    return match.end() if match else 0


def _words(name: str) -> list[str]:
    """Return the words that tell names apart; "I" and what is short as a rule are none."""
    return [bare for word in name.split() if len(bare := _OWN.sub("", word)) > 1 and bare[0].isupper()]


def _explained(sentence: str, name: re.Match[str]) -> bool:
    before = sentence[max(0, name.start() - _BEFORE) : name.start()]
    return bool(_EXPLAINED_AFTER.match(sentence, name.end()) or _EXPLAINED_BEFORE.search(before))
