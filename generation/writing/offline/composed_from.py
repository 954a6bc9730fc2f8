"""The facts that a sentence was composed from, each on its own with names for pronouns, and with its span."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from books.types import Span
from generation.checking.categories import categorise
from generation.types import Category, Citation, NamedSpan, StatedFact
from generation.writing.offline.clause_parts import FiniteVerb, GrammaticalCase, PersonReference, Piece
from generation.writing.offline.name_choice import NameChoice, possessive

_GLUE = re.compile(r" +([,;.])")
_SLOT = 0xE000
"""The first of the code points that stand for people until their names are filled in."""


@dataclass(frozen=True, slots=True)
class ComposedItem:
    """One of the facts that share a predicate: "is proud" of "is proud and vain"."""

    pieces: tuple[Piece, ...]
    """Its predicate, as if it stood alone."""
    category: Category | None
    """None: decided by the words."""
    citations: tuple[Citation, ...]
    first: int = 0
    end: int = 0
    """End of the half-open range of pieces of the shared predicate that state it."""


class TellablePoint(Protocol):
    """What is needed of a point here."""

    @property
    def subject(self) -> str: ...
    @property
    def predicate(self) -> tuple[Piece, ...]: ...
    @property
    def citations(self) -> tuple[Citation, ...]: ...
    @property
    def beside(self) -> tuple[str, ...]: ...
    @property
    def lead(self) -> tuple[Piece, ...]: ...
    @property
    def joint(self) -> str: ...
    @property
    def items(self) -> tuple[ComposedItem, ...]: ...
    @property
    def before(self) -> ComposedItem | None: ...


def tidy(text: str) -> str:
    """Return words that were joined with spaces with the spacing of a sentence."""
    return _GLUE.sub(r"\1", text).replace(" can not ", " cannot ")


def stated(
    text: str,
    points: Sequence[TellablePoint],
    worded: Sequence[Sequence[str]],
    *,
    lead: str,
    subject: str,
    naming: NameChoice,
) -> tuple[StatedFact, ...]:
    """Return the facts of a sentence with their spans.

    `worded` has the pieces of each point's predicate as they are in `text`, after its lead and subject.
    """
    made: list[StatedFact] = []
    said = f"{lead}{subject}"
    first = points[0]
    if first.before is not None:
        made.append(_fact(first, first.before, Span(0, len(lead.rstrip(", "))), naming))
    for at, (point, words) in enumerate(zip(points, worded, strict=True)):
        said = f"{said} {point.joint}" if at else said
        for number, item in enumerate(point.items or (_whole(point),)):
            start = len(tidy(f"{' '.join((said, *words[: item.first]))} x")) - 1
            end = len(tidy(" ".join((said, *words[: item.end]))))
            span = _narrowed(text, Span(start, end), item)
            if not at and not number:
                span = Span(len(lead) if first.before else 0, span.end)
            made.append(_fact(point, item, span, naming))
        said = f"{said} {' '.join(words)}"
    return tuple(made)


def _whole(point: TellablePoint) -> ComposedItem:
    """Return all that a point states, including when it happened: "when she hears of it", but not "later"."""
    setting = point.lead if len(point.lead) > 1 and point.before is None else ()
    return ComposedItem((*point.predicate, *setting), None, point.citations, 0, len(point.predicate))


def _narrowed(text: str, span: Span, item: ComposedItem) -> Span:
    """Return the span of the one word that is meant, of several that are listed in one piece."""
    own = item.pieces[-1]
    if item.end - item.first != 1 or not isinstance(own, str):
        return span
    found = re.search(rf"\b{re.escape(own)}\b", text[span.start : span.end])
    return Span(span.start + found.start(), span.start + found.end()) if found else span


def _fact(point: TellablePoint, item: ComposedItem, span: Span, naming: NameChoice) -> StatedFact:
    many = bool(point.beside) or naming.many(point.subject)
    text, people = _standalone(list(_worded(point, item.pieces, many, naming)))
    category = item.category or categorise(text)
    return StatedFact(text, category, span, point.subject, people, item.citations)


_Word = str | tuple[str, str]
"""Words, or a person's name with their id."""


def _worded(point: TellablePoint, pieces: Sequence[Piece], many: bool, naming: NameChoice) -> Iterator[_Word]:
    yield naming.name(point.subject), point.subject
    for at, other in enumerate(point.beside):
        yield "and" if at + 1 == len(point.beside) else ","
        yield naming.name(other), other
    for piece in pieces:
        if isinstance(piece, FiniteVerb):
            yield piece.plural if many else piece.singular
        elif isinstance(piece, PersonReference):
            yield _called(piece, point, naming), piece.character
        else:
            yield piece


def _called(ref: PersonReference, point: TellablePoint, naming: NameChoice) -> str:
    """Return the name, or a pronoun where it cannot be mistaken: "Anna loses her ship"."""
    who = ref.character
    name = naming.name(who)
    if ref.case is GrammaticalCase.POSSESSIVE:
        name = possessive(name)
    others = (*point.beside, *(p.character for p in point.predicate if isinstance(p, PersonReference)))
    rivals = any(other != who and naming.alike(who, other) for other in others)
    own = ref.case is GrammaticalCase.POSSESSIVE and who == point.subject and not rivals
    return naming.pronoun(who, ref.case) or name if own or ref.case is GrammaticalCase.REFLEXIVE else name


def _standalone(words: Sequence[_Word]) -> tuple[str, tuple[NamedSpan, ...]]:
    """Return the words as a sentence with the people named in it. A possessive ’s is not part of a name."""
    named = [w for w in words if not isinstance(w, str)]
    slots = (chr(_SLOT + at) for at in range(len(named)))
    coded = tidy(" ".join(w if isinstance(w, str) else next(slots) for w in words) + ".")
    out, people = "", []
    for sign in coded:
        at = ord(sign) - _SLOT
        if not 0 <= at < len(named):
            out += sign
            continue
        called, who = named[at]
        bare = re.sub(r"’s?$", "", called)
        people.append(NamedSpan(Span(len(out), len(out) + len(bare)), who))
        out += called
    return out[:1].upper() + out[1:], tuple(people)
