"""What somebody who sees only a passage can't know: who speaks in it, and who its pronouns are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from books.types import Span
from generation.story.cast import CastIndex
from retrieval import sentences

SURE: Final = 0.6
"""Minimum confidence of a quote's speaker who is told."""
NAMED: Final = 0.95
"""Minimum confidence of a pronoun whose person is named. Between 0.8 and this, readers found a third of the
names wrong; a bare pronoun misleads nobody."""


@dataclass(frozen=True, slots=True)
class PronounName:
    """The name of the person behind a pronoun, to be put after it."""

    end: int
    """The end of the pronoun in the book."""
    name: str
    character: str


def speakers_in(span: Span, cast: CastIndex, *, so_far: bool = False) -> tuple[str, ...]:
    """Return the names of those who speak in a span, in order, if all of them are known.

    With `so_far`, these are the names that the book has used by the end of the span.
    """
    quotes = cast.quotes_in(span)
    known = [
        cast.as_of(cast.by_id[q.speaker], span.end) if so_far else cast.by_id[q.speaker]
        for q in quotes
        if q.speaker in cast.by_id and q.confidence >= SURE
    ]
    names = dict.fromkeys(who.name for who in known if who is not None)
    return tuple(names) if len(known) == len(quotes) and None not in known else ()


def pronoun_names(span: Span, cast: CastIndex) -> Iterator[PronounName]:
    """Yield whom pronouns in a span mean: the first of each person whom its sentence does not name.

    Beside the name itself it would be needless, or wrong: “he [Dickon] neighed when he saw Dickon”.
    """
    for sentence in sentences.split(cast.book.text, span):
        inside = cast.standing_in(sentence)
        known = {standing.character for standing in inside if not standing.pronoun}
        for standing in inside:
            unnamed = standing.pronoun and standing.character not in known
            if unnamed and standing.confidence >= NAMED:
                name = cast.by_id[standing.character].name
                yield PronounName(standing.span.end, name, standing.character)
            known.add(standing.character)
