"""The narrator, who says 我 outside quotations, of a Chinese book in the first person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from coref.chinese.people import ChineseCast, NameForm, NameShape
from coref.chinese.segment import ChineseWords
from coref.chinese.spots import ME, ChineseMention
from coref.types import MentionKind

NARRATOR = "叙述者"
_SHARE = 1 / 120
"""Share of 我 among the words outside quotations from which on a chapter has a first-person narrator."""
_ENOUGH = 3
_CHAPTERS = 0.5
_SHORT = 6
_CALLS = ("叫", "是", "名叫", "姓")


def find_narrator(
    words: ChineseWords, spots: Sequence[ChineseMention], chapters: Sequence[int], cast: ChineseCast
) -> int | None:
    """Return the narrator, or None. A nameless one is added to the cast."""
    paragraphs = _paragraphs(words)
    outside: Counter[int] = Counter()
    for number, (first, end) in enumerate(words.ranges):
        outside[chapters[number]] += sum(words.quote[i] < 0 for i in range(first, end))
    own: Counter[int] = Counter()
    for spot in spots:
        if spot.head == ME and spot.quote < 0:
            own[chapters[paragraphs[spot.first]]] += 1
    telling = sum(own[c] > _SHARE * outside[c] for c in outside if outside[c])
    if own.total() < _ENOUGH or telling < _CHAPTERS * len(outside):
        return None
    named = _introduced(words, spots)
    return named if named is not None else cast.enter(NameForm(NARRATOR, NameShape.ROLE)).number


def _introduced(words: ChineseWords, spots: Sequence[ChineseMention]) -> int | None:
    """Return the person named by `我叫…` outside quotations, if there is only one."""
    names = {
        after.options[0]
        for spot, after in pairwise(spots)
        if spot.head == ME
        and spot.quote < 0
        and after.kind is MentionKind.PROPER
        and len(after.options) == 1
        and _calls("".join(words.words[spot.end : after.first]))
    }
    return names.pop() if len(names) == 1 else None


def _calls(between: str) -> bool:
    return between in _CALLS or (between[:1] == "姓" and len(between) < _SHORT and between[-1] in "叫名")


def _paragraphs(words: ChineseWords) -> list[int]:
    """Return the paragraph of each word."""
    return [number for number, (first, end) in enumerate(words.ranges) for _ in range(first, end)]
