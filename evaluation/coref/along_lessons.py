"""Lessons for `bookworm train along`: any two people of an excerpt of LitBank are taken for one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from books.types import Span
from coref.census import grouped
from coref.decisions.along import FEATURES, SORTS, Asked, Named, Sides, Walk, gone_with, word_of
from coref.native.document import SpeechState
from coref.training.litbank import LitbankDocument, LitbankMention
from evaluation.coref.odds_training import OddsLesson, folds

_NAMES, _PRONOUNS = 2, 3
"""So many of them everybody has who is taken for another."""


class SpacedText:
    """An excerpt as text, with the quote that each word is in."""

    def __init__(self, document: LitbankDocument) -> None:
        words = document.document.words
        lengths = [0, *(len(word) + 1 for word in words)]
        self._starts = np.cumsum(lengths).tolist()
        self._words = words
        self._quotes = list(_quotes(document))

    def start(self, mention: LitbankMention) -> int:
        return int(self._starts[mention.span[0]])

    def text(self, mention: LitbankMention) -> str:
        return " ".join(self._words[slice(*mention.span)])

    def quote(self, mention: LitbankMention) -> Span | None:
        words = self._quotes[mention.span[0]]
        return Span(self._starts[words[0]], self._starts[words[1]]) if words else None


def _quotes(document: LitbankDocument) -> Iterator[tuple[int, int] | None]:
    """Yield for each word the first and the end of the spoken words that it is among."""
    speech = document.document.speech
    at = 0
    while at < len(speech):
        end = at
        while end < len(speech) and (speech[end] is SpeechState.NARRATED) == (
            speech[at] is SpeechState.NARRATED
        ):
            end += 1
        yield from [None if speech[at] is SpeechState.NARRATED else (at, end)] * (end - at)
        at = end


def lesson(document: LitbankDocument) -> OddsLesson:
    """Return what the excerpt teaches. Each question is put twice: who is gone in one stays in the other."""
    rows: list[list[float]] = []
    true: list[bool] = []
    for known, asked, gone in taken_for_one(document):
        walk = Walk(Sides(known), asked, gone)
        for each, goes in zip(asked, gone, strict=True):
            row = walk.row(each)
            rows += [row, [-sign for sign in row]]
            true += [goes, not goes]
            walk.told(each, gone=goes)
    return OddsLesson(document.name, np.array(rows).reshape(-1, len(FEATURES)), np.array(true, dtype=bool))


def taken_for_one(document: LitbankDocument) -> Iterator[tuple[list[Named], list[Asked], list[bool]]]:
    """Yield for any two people their names, what else means them, and of that whether it means the first."""
    spaced = SpacedText(document)
    people = grouped(document.mentions, lambda m: m.entity if m.category == "PER" else None)
    named = [
        each
        for each in people.values()
        if _kinds(each, "PROP") >= _NAMES and _kinds(each, "PRON") >= _PRONOUNS
    ]
    for one, other in combinations(named, 2):
        both = sorted(
            [(spaced.start(m), m, True) for m in one] + [(spaced.start(m), m, False) for m in other],
            key=lambda each: each[0],
        )
        known = [Named(at, spaced.quote(m), gone) for at, m, gone in both if m.kind == "PROP"]
        asked: list[Asked] = []
        truth: list[bool] = []
        for at, mention, gone in both:
            if mention.kind == "PROP":
                continue
            quote = spaced.quote(mention)
            word = word_of(spaced.text(mention)) if mention.kind == "PRON" else ""
            if word != "i":
                asked.append(Asked(at, quote, word))
            elif quote is not None and Asked(quote.start, quote, word) not in asked[-1:]:
                asked.append(Asked(quote.start, quote, word))
            else:
                continue
            truth.append(gone)
        order = sorted(range(len(asked)), key=lambda at: asked[at].start)
        yield known, [asked[at] for at in order], [truth[at] for at in order]


def _kinds(mentions: Sequence[LitbankMention], kind: str) -> int:
    return sum(mention.kind == kind for mention in mentions)


def story_of(documents: Sequence[LitbankDocument], lessons: Sequence[OddsLesson]) -> dict[str, object]:
    """Describe the data, and the shares that are right in documents that were held out, for readers.

    Beside it stands what is right if everything follows the name before it.
    """
    right = {sort: np.zeros(3, dtype=int) for sort in SORTS}
    for model, held in folds(lessons, FEATURES):
        for document in documents[held]:
            for known, asked, truth in taken_for_one(document):
                sides = Sides(known)
                for each, found, goes in zip(asked, gone_with(known, asked, model), truth, strict=True):
                    right[SORTS[each.sort]] += (1, found is goes, sides.last_named(each) is goes)
    right = {"all": sum(right.values(), np.zeros(3, dtype=int)), **right}
    return {
        "documents": len(documents),
        "held out": {
            sort: {
                "asked": int(asked),
                "right": round(float(found / asked), 3),
                "right by the name before": round(float(named / asked), 3),
            }
            for sort, (asked, found, named) in right.items()
            if asked
        },
    }
