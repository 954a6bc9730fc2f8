"""Deeds become sentences: what belongs together shares one, and time passes between them in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from generation.dossier.types import DeedKind
from generation.offline import forms
from generation.offline.deeds import Told
from generation.offline.pieces import Finite, Piece
from generation.offline.realising import Point
from generation.offline.stating import Item
from generation.types import Citation

_JOINED = 24
"""Words of two predicates that share a sentence, at most."""
_NEAR = 1_500
"""Characters of the book between two things that follow one another."""
_NESTED = frozenset(("that", "what", "whether", "who", "how", "why", "where", "which"))
"""After these, what is joined would seem to belong to them."""
_LATER = ("Later", "In time", "Later on", "Afterwards")
_END = 0.92
"""Share of the book behind which it ends."""


@dataclass(slots=True)
class Episodes:
    """Makes the sentences of one text: each of these words is used sparingly over all of it."""

    length: int
    """Of the book, in characters."""
    chapters: int
    ended: bool
    """Whether the book has been read to its end."""
    turn: int = 0
    """Where the rota of words begins."""
    _led: int = field(default=0, init=False)
    _later: int = field(default=0, init=False)
    _set: bool = field(default=False, init=False)
    _after: int = field(default=0, init=False)
    _closed: bool = field(default=False, init=False)

    def sentences(self, told: Sequence[Told], *, timed: bool = True) -> list[list[Point]]:
        """In the order given; `timed` if that is the story's."""
        found: list[list[Point]] = []
        before: Told | None = None
        at = 0
        while at < len(told):
            here = told[at]
            then = told[at + 1] if at + 1 < len(told) else None
            lead = self._lead(before, here, last=at + 1 >= len(told), since=len(found)) if timed else ""
            if then is not None and not lead and (joined := self._joined(here, then, len(found))):
                found.append(joined)
                before, at = then, at + 2
                continue
            found.append([_point(here, lead=(lead,) if lead else self._setting(here))])
            before, at = here, at + 1
        return found

    def _lead(self, before: Told | None, here: Told, *, last: bool, since: int) -> str:
        """Where the story has gone on a long way."""
        if before is None:
            return ""
        if last and self.ended and not self._closed and here.clause.at > _END * self.length and since > 1:
            self._closed = True
            return "In the end"
        gap = here.clause.chapter - before.clause.chapter
        if gap * 5 >= self.chapters and gap > 1 and self._led < 1 + since // 4:
            self._led += 1
            return _LATER[(self.turn + self._led) % len(_LATER)]
        return ""

    def _setting(self, here: Told) -> tuple[Piece, ...]:
        """Not twice running."""
        self._set = bool(here.clause.setting) and not self._set
        return here.clause.setting if self._set else ()

    def _joined(self, one: Told, other: Told, since: int) -> list[Point] | None:
        first, second = one.clause, other.clause
        alike = first.subject == second.subject and first.beside == second.beside
        if not alike or second.setting or first.verb == second.verb:
            return None
        if first.length + second.length > _JOINED or _nested(first.predicate):
            return None
        if first.passive != second.passive and first.passive:
            return None
        gap = second.chapter - first.chapter
        near = second.at - first.at < _NEAR
        if (
            near
            and not gap
            and _acts(one)
            and _acts(other)
            and not first.beside
            and self._after * 4 <= self.turn % 4 + 1
        ):
            self._after += 1
            return [_point(other, lead=("After", *_gerund(first.predicate)), cited=one)]
        if not gap or near:
            joint = "but" if second.negated and not first.negated else "and"
            return [_point(one), _point(other, joint=joint)]
        if 0 < gap * 3 < self.chapters and not _perfect(second.predicate) and self._later * 4 <= since:
            self._later += 1
            return [_point(one), _point(other, joint=", and later")]
        return None


def _acts(told: Told) -> bool:
    """Whether it is done and over, before what comes next."""
    finite = next((p for p in told.clause.predicate if isinstance(p, Finite)), None)
    plain = finite is not None and finite.base != "" and not told.clause.negated
    return plain and told.deed.kind is not DeedKind.MIND and told.clause.predicate[0] is finite


def _gerund(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    return tuple(forms.gerund(p.base) if isinstance(p, Finite) else p for p in pieces)


def _perfect(pieces: Sequence[Piece]) -> bool:
    """Told when it was over: it may have come before."""
    return any(isinstance(p, Finite) and p.singular == "has" for p in pieces)


def _nested(pieces: Sequence[Piece]) -> bool:
    return any(isinstance(p, str) and p in _NESTED for p in pieces)


def _point(
    told: Told, *, lead: tuple[Piece, ...] = (), joint: str = "and", cited: Told | None = None
) -> Point:
    clause = told.clause
    places = (*((cited,) if cited else ()), told)
    citations = tuple(Citation(t.clause.span, t.clause.chapter) for t in places)
    before = Item(cited.clause.predicate, None, citations[:1]) if cited else None
    return Point(clause.subject, clause.predicate, citations, clause.beside, lead, joint, before=before)


def with_lead(sentence: list[Point], lead: str) -> list[Point]:
    """The same, begun with some words, unless it begins with some already."""
    return sentence if sentence[0].lead else [replace(sentence[0], lead=(lead,)), *sentence[1:]]
