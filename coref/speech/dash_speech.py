"""Speech that opens with a dash: `—Yes, said Tom. —And you?`, `—Yes —said Tom—. And you?`"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from coref.language.word_lists import words
from coref.speech.quote_convention import DASH
from coref.speech.quote_marks import SpeechStyle
from coref.speech.quoted_stretches import QuotedStretch

_TURN = re.compile(r"(?P<stop>[,.!?…])?(?P<dash>\s*(?:—|―|–|--+)\s*|\s+)(?=[^\W\d_])")
"""Where speech may end and a tag may begin."""
_CLAUSE = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.,;:!?…]|—|―|–|--+")
_WORDS = 5
"""Number of words within which a tag must have its verb."""
_REACH = 80
_LONG_TAG = 200


def opens_with_dash(text: str, start: int, end: int) -> bool:
    return DASH.match(text, start, end) is not None


def has_dash_tag(text: str, start: int, end: int) -> bool:
    """Return whether a paragraph that opens with a dash has a tag, so that it is speech by any convention."""
    opening = DASH.match(text, start, end)
    return opening is not None and next(_tags(text, opening.end(), min(end, start + 400)), None) is not None


def dashed_in(text: str, start: int, end: int) -> Iterator[QuotedStretch]:
    """Yield the speech in one paragraph, without the dashes and without the tags."""
    opening = DASH.match(text, start, end)
    if opening is None:
        return
    at = opening.end()
    for stop, tag, dashed in _tags(text, at, end):
        if stop <= at:
            continue
        yield QuotedStretch(at, stop, SpeechStyle.DASH)
        at, goes_on = _after_tag(text, tag, end, dashed=dashed)
        if not goes_on:
            return
    if at < end:
        yield QuotedStretch(at, end, SpeechStyle.DASH)


def _tags(text: str, at: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Yield where speech stops, where its tag begins, and whether a dash sets the tag apart."""
    for turn in _TURN.finditer(text, at, end):
        dashed = bool(turn["dash"].strip())
        if (turn["stop"] or dashed) and _is_tag(text, turn.end(), end):
            yield (turn.end("stop") if turn["stop"] else turn.start("dash")), turn.end(), dashed


def _is_tag(text: str, at: int, end: int) -> bool:
    """Return whether a verb of speech follows within a clause of nothing else: `said Tom`, `he cried`."""
    clause = _CLAUSE.finditer(text, at, min(end, at + _REACH))
    for match in islice(clause, _WORDS):
        word = match.group()
        if not word[0].isalnum():
            return False
        if word.casefold() in words("speech_verbs"):
            first = text[at : match.start()].split()
            return not first or _is_subject(first)
    return False


def _is_subject(said: list[str]) -> bool:
    """Return whether the words before a tag's verb can be its subject: a name, a pronoun, `the man`."""
    head = said[0].casefold()
    return head in ("he", "she", "they", "the", "his", "her", "my", "i") or said[0][0].isupper()


def _after_tag(text: str, at: int, end: int, *, dashed: bool) -> tuple[int, bool]:
    """Return where speech resumes after a tag, and whether it does.

    It resumes after the tag's closing dash, after its comma, or at a new dash.
    """
    for match in _CLAUSE.finditer(text, at, min(end, at + _LONG_TAG)):
        mark = match.group()
        if mark in ("—", "―", "–") or mark.startswith("--"):
            rest = match.end()
            while rest < end and (text[rest].isspace() or text[rest] in ",.;:"):
                rest += 1
            return rest, rest < end
        if dashed and mark[0] in ".;:!?":
            return match.end(), False
        if not dashed and mark == ",":
            return _skip(text, match.end(), end), True
        if not dashed and mark[0] in ".;:!?…":
            again = DASH.match(text, match.end(), end)
            return (again.end(), True) if again else (match.end(), False)
    return end, False


def _skip(text: str, at: int, end: int) -> int:
    while at < end and text[at].isspace():
        at += 1
    return at
