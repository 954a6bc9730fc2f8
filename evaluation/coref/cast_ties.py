"""Measures the relations that are stated of people of a novel, beside those that readers know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast as typed

from books.types import Book
from coref.types import Annotations
from evaluation.coref.cast_doubts import people_of
from evaluation.coref.tallies import Sums
from evaluation.corpus.casts import BOTH_WAYS, CastTie, NovelCast, TieName
from generation.story.cast import cast_of
from generation.story.statements import certain_ties
from generation.story.ties.relation_words import meant_by


@dataclass(frozen=True, slots=True)
class TieScore(Sums):
    ties: int = 0
    """Ties of two people who each have a character."""
    found: int = 0
    """Those of them that are stated."""
    unlisted: int = 0
    """Ties of people of whom one has no character."""
    stated: int = 0
    """Statements of two people whom readers know. `found` of them are right."""


def score_ties(cast: NovelCast, book: Book, annotations: Annotations) -> dict[TieName, TieScore]:
    """Return the scores by kind of tie. A tie that is stated of both people counts once."""
    meant = people_of(cast, annotations)
    listed = set(meant.values())
    gold = {one_way(tie) for tie in cast.ties}
    known = {tie for tie in gold if {tie.who, tie.of} <= listed}
    stated = {one_way(tie) for tie in _stated(book, annotations, meant)}
    return {
        name: TieScore(
            ties=sum(tie.name == name for tie in known),
            found=sum(tie.name == name for tie in known & stated),
            unlisted=sum(tie.name == name for tie in gold - known),
            stated=sum(tie.name == name for tie in stated),
        )
        for name in sorted({tie.name for tie in gold | stated})
    }


def _stated(book: Book, annotations: Annotations, meant: Mapping[str, str]) -> Iterator[CastTie]:
    cast = cast_of(book, annotations)
    for character, who in meant.items():
        for tie in certain_ties(cast, character):
            other = meant.get(tie.other)
            found = meant_by(tie.term.split()[-1])
            if other is None or other == who or found is None:
                continue
            relation, _ = found
            one, two = (other, who) if relation.turned else (who, other)
            yield CastTie(one, typed(TieName, relation.tie), two)


def one_way(tie: CastTie) -> CastTie:
    if tie.name in BOTH_WAYS and tie.of < tie.who:
        return CastTie(tie.of, tie.name, tie.who)
    return tie
