"""Turns BookNLP's output and its book into `Annotations`.

Every span is checked against the text before it is accepted. A mention whose words are not where the files or
the alignment place it is left out and counted. If there are too many of them, the text is another book.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from books.types import Book, Span
from coref.booknlp.align import align
from coref.booknlp.characters import people_of
from coref.booknlp.output_files import UNRESOLVED, BookNLPEntity, BookNLPOutput, BookNLPQuote
from coref.booknlp.spacy_words import story_text
from coref.errors import BookNLPMismatch
from coref.types import Annotations, EntityCategory, Mention, Quote

_CATEGORIES = frozenset(EntityCategory)
ENOUGH = 0.5
"""Share of the mentions and quotes found below which the text is another book. Another novel has 1%."""
SPEAKER_CONFIDENCE = 0.5
"""BookNLP gives no confidence. About half of the speakers it names in whole novels are right."""


@dataclass(frozen=True, slots=True)
class BookNLPImport:
    annotations: Annotations
    mentions: int
    """Mentions of people in BookNLP's output."""
    mentions_found: int
    quotes: int
    quotes_found: int
    outside: int
    """Mentions and quotes outside the story, such as in a licence: found, but left out."""
    repeated: int
    """Mentions and quotes left out because they overlap others."""

    @property
    def aligned(self) -> float:
        """Share of mentions and quotes whose words were found in their places."""
        return (self.mentions_found + self.quotes_found) / max(1, self.mentions + self.quotes)


class _TokenPlaces:
    """The places of tokens, from `.tokens` if that is valid for this text, else by alignment."""

    def __init__(self, book: Book, output: BookNLPOutput) -> None:
        self._text, self._story = book.text, story_text(book)
        offsets = {t.number: Span(t.start, t.end) for t in output.tokens or ()}
        wrong = sum(self._bare(t.start, t.end) != t.word for t in output.tokens or ())
        if offsets and not wrong:
            self._starts = {number: span.start for number, span in offsets.items()}
            self._ends = {number: span.end for number, span in offsets.items()}
        else:
            found = align(self._text, output.words)
            self._starts, self._ends = dict(found.starts), dict(found.ends)

    def of(self, row: BookNLPEntity | BookNLPQuote) -> Span | None:
        """Return the row's span, or None unless its words are there."""
        start, end = self._starts.get(row.first), self._ends.get(row.last)
        if start is None or end is None:
            return None
        wanted = row.words.replace(" ", "")
        if self._bare(start, end) == wanted:
            return Span(start, end)
        # Without parts outside the story, such as a note inside a long speech.
        return Span(start, end) if "".join(self._story[start:end].split()) == wanted else None

    def _bare(self, start: int, end: int) -> str:
        return "".join(self._text[start:end].split())


def import_output(output: BookNLPOutput, book: Book, *, name: str) -> BookNLPImport:
    """Return the annotations, under the resolver's `name`, with counts of how much was imported."""
    places = _TokenPlaces(book, output)
    entities = [e for e in output.entities if e.category in _CATEGORIES]
    mentions = [(e, span) for e in entities if (span := places.of(e))]
    quotes = [(q, span) for q in output.quotes or () if (span := places.of(q))]
    told = [(e, s) for e, s in mentions if _in_story(book, s)]
    said = [(q, s) for q, s in quotes if _in_story(book, s)]
    kept, heard = _one_each(told), _apart(said)
    result = BookNLPImport(
        _annotations(book, output, kept, heard, name),
        mentions=len(entities),
        mentions_found=len(mentions),
        quotes=len(output.quotes or ()),
        quotes_found=len(quotes),
        outside=len(mentions) + len(quotes) - len(told) - len(said),
        repeated=len(told) + len(said) - len(kept) - len(heard),
    )
    if result.mentions + result.quotes and result.aligned < ENOUGH:
        raise BookNLPMismatch(
            f"Only {result.aligned:.0%} of BookNLP's mentions and quotes occur in this text."
        )
    return result


def _annotations(
    book: Book,
    output: BookNLPOutput,
    rows: Sequence[tuple[BookNLPEntity, Span]],
    said: Sequence[tuple[BookNLPQuote, Span]],
    name: str,
) -> Annotations:
    unnamed = [
        (e.cluster, Mention(s, e.kind, None, book.slice(s), EntityCategory(e.category))) for e, s in rows
    ]
    persons = [(cluster, m) for cluster, m in unnamed if m.category is EntityCategory.PERSON]
    people = people_of(persons, output.listed, words=book.word_count)
    ids = people.ids
    sizes = Counter(cluster for cluster, _ in unnamed)
    mentions = tuple(_resolved(cluster, m, ids, sizes) for cluster, m in unnamed)
    quotes = []
    for row, span in said:
        speaker = ids.get(row.cluster) if row.cluster is not None else None
        quotes.append(Quote(span, speaker, None, SPEAKER_CONFIDENCE if speaker else 0.0))
    return Annotations(name, people.characters(mentions), mentions, tuple(quotes), people.narrator)


def _resolved(cluster: int, mention: Mention, ids: Mapping[int, str], sizes: Mapping[int, int]) -> Mention:
    """Resolve a mention. An entity that is no character keeps its number if it recurs."""
    if cluster == UNRESOLVED:
        return mention
    who = ids.get(cluster) if mention.category is EntityCategory.PERSON else None
    return replace(mention, character=who, entity=cluster if who is None and sizes[cluster] > 1 else None)


def _in_story(book: Book, span: Span) -> bool:
    """Return whether a span starts and ends in paragraphs, as long speech does, and not in text set apart."""
    return all(
        book.paragraph_at(edge) is not None and not _set_apart(book, edge)
        for edge in (span.start, span.end - 1)
    )


def _set_apart(book: Book, offset: int) -> bool:
    at = bisect_right(book.excluded, offset, key=lambda e: e.span.start) - 1
    return at >= 0 and offset < book.excluded[at].span.end


def _one_each(rows: Iterable[tuple[BookNLPEntity, Span]]) -> list[tuple[BookNLPEntity, Span]]:
    """Return mentions in story order, outer before inner, one for each span."""
    found: dict[Span, BookNLPEntity] = {}
    for entity, span in rows:
        found.setdefault(span, entity)
    return [(found[s], s) for s in sorted(found, key=lambda s: (s.start, -s.end))]


def _apart(rows: Iterable[tuple[BookNLPQuote, Span]]) -> list[tuple[BookNLPQuote, Span]]:
    """Return quotes in story order. Of overlapping ones the first is kept."""
    kept: list[tuple[BookNLPQuote, Span]] = []
    for row, span in sorted(rows, key=lambda r: (r[1].start, -r[1].end)):
        if not kept or kept[-1][1].end <= span.start:
            kept.append((row, span))
    return kept
