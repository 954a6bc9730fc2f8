"""LitBank's quotations, located in the full novels that they are taken from.

In `quotations/NAME_brat.ann` tabs separate the columns: `QUOTE` with an id, first sentence and word, last
sentence and word (inclusive), text; `ATTRIB` with a quote's id and the entity that speaks, named as in the
coreference layer. LitBank keeps no paragraphs, without which speakers cannot be attributed. Therefore each
excerpt is located in its novel, letter by letter.
"""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from books.reading import read
from books.types import Book, Span
from coref.language.tokens import Tokens
from coref.names.person_candidates import MentionCandidate
from coref.training.litbank import LitbankDamaged, LitbankDocument, load
from coref.types import MentionKind

_NAME_VOTES = 5
_EXTRA_WORDS = 3
"""How many words longer than the name inside it a gold mention may be: `the unfortunate Mr. Hale`."""


@dataclass(frozen=True, slots=True)
class LitbankQuote:
    span: Span
    """In the novel."""
    speaker: str


@dataclass(frozen=True, slots=True)
class LitbankPlace:
    span: Span
    """In the novel."""
    entity: str
    kind: MentionKind
    person: bool


@dataclass(frozen=True, slots=True)
class Excerpt:
    name: str
    book: Book
    """The whole novel."""
    quotes: tuple[LitbankQuote, ...]
    mentions: tuple[LitbankPlace, ...]
    """The gold mentions, in order."""


def excerpt(litbank: Path, novels: Path, name: str) -> Excerpt:
    document = load(litbank, [name])[0]
    raw = gzip.decompress((novels / f"{name}.txt.gz").read_bytes())
    book = read(raw, name=f"{name}.txt")
    places = _places(document, book)
    quotes = _quotes(litbank / "quotations" / f"{name}_brat.ann", document, places)
    mentions = [
        LitbankPlace(_span(places, *m.span), m.entity, MentionKind(m.kind), m.category == "PER")
        for m in document.mentions
    ]
    return Excerpt(name, book, quotes, tuple(mentions))


def _places(document: LitbankDocument, book: Book) -> list[Span]:
    """Return the place in the novel of each word of the excerpt. White space and marks are ignored."""
    offsets = [i for i, char in enumerate(book.text) if char.isalnum()]
    letters = "".join(book.text[i] for i in offsets)
    words = ["".join(filter(str.isalnum, word)) for word in document.document.words]
    at = letters.find("".join(words))
    if at < 0:
        raise LitbankDamaged(f"The excerpt of {document.name} is not in the novel of that name.")
    places = []
    for word in words:
        end = at + len(word)
        start = offsets[min(at, len(offsets) - 1)]
        places.append(Span(start, offsets[end - 1] + 1 if word else start))
        at = end
    return places


def _span(places: Sequence[Span], first: int, end: int) -> Span:
    """Return the span from the first word with a letter to the last. Marks have no place of their own."""
    inside = [place for place in places[first:end] if len(place)] or [places[first]]
    return Span(inside[0].start, inside[-1].end)


def _quotes(file: Path, document: LitbankDocument, places: Sequence[Span]) -> tuple[LitbankQuote, ...]:
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()]
    speakers = {row[1]: row[2] for row in rows if row[0] == "ATTRIB"}
    starts = [start for start, _ in document.document.sentences]
    found = []
    try:
        for row in (row for row in rows if row[0] == "QUOTE" and row[1] in speakers):
            first = starts[int(row[2])] + int(row[3])
            end = starts[int(row[4])] + int(row[5]) + 1
            found.append(LitbankQuote(_span(places, first, end), speakers[row[1]]))
    except (IndexError, ValueError) as error:
        raise LitbankDamaged(f"{file.name} has a row that is no quote: {error}.") from error
    return tuple(found)


def meant(
    mentions: Sequence[LitbankPlace], tokens: Tokens, spots: Sequence[MentionCandidate]
) -> dict[int, str]:
    """Map each person of a resolver to the gold entity, by names first, then by the other mentions.

    If a resolver split one person into two, both map to the same entity.
    """
    by_start: dict[int, list[MentionCandidate]] = defaultdict(list)
    for spot in spots:
        if spot.who is not None:
            by_start[spot.first].append(spot)
    votes: dict[int, Counter[str]] = defaultdict(Counter)
    for mention in mentions:
        first, end = tokens.at(mention.span.start), tokens.at(mention.span.end)
        for at in range(first, min(end, first + 1 + _EXTRA_WORDS)):
            for spot in by_start.get(at, ()):
                fits = spot.end <= end and end - first <= spot.end - spot.first + _EXTRA_WORDS
                if fits and spot.who is not None:
                    votes[spot.who][mention.entity] += _NAME_VOTES if spot.kind is MentionKind.PROPER else 1
    return {who: max(count, key=lambda entity: (count[entity], entity)) for who, count in votes.items()}
