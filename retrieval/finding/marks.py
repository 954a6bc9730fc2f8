"""Where the words and phrases of a search stand in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from books.types import Span
from retrieval.finding.query_line import QueryLine
from retrieval.finding.types import Find
from retrieval.tokenizer import has_han, simplified, terms
from retrieval.types import Passage

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class Marker:
    line: QueryLine

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The terms of the words."""
        return frozenset(term for word in self.line.words for term in terms(word))

    @cached_property
    def phrases(self) -> tuple[re.Pattern[str], ...]:
        return tuple(map(phrase, self.line.phrases))

    @cached_property
    def _literal(self) -> tuple[re.Pattern[str], ...]:
        """Words in a script without spaces, which stand anywhere."""
        return tuple(re.compile(re.escape(simplified(word))) for word in self.line.words if has_han(word))

    def find(self, passage: Passage, within: Sequence[Span] | None = None) -> Find:
        at = passage.span.start
        marks = self.marks(passage.text, within)
        return Find(passage, tuple(Span(at + mark.start, at + mark.end) for mark in marks))

    def marks(self, text: str, within: Sequence[Span] | None = None) -> tuple[Span, ...]:
        """Return where words and phrases stand in a text, or only in some parts of it."""
        found = {*self._words(text), *self._phrases(text)}
        return apart(span for span in found if within is None or any(part.covers(span) for part in within))

    def all_in(self, text: str, within: Sequence[Span] | None = None) -> bool:
        """Whether a text has all the phrases and, if only some parts of it count, all the words there."""
        parts = [text] if within is None else [part.of(text) for part in within]
        simple = [simplified(part) for part in parts] if self.phrases else []
        if not all(any(p.search(part) for part in simple) for p in self.phrases):
            return False
        return within is None or self.wanted <= {term for part in parts for term in terms(part)}

    def _words(self, text: str) -> Iterator[Span]:
        if self.wanted:
            for match in _WORD.finditer(text):
                if not has_han(match[0]) and not self.wanted.isdisjoint(terms(match[0])):
                    yield Span(*match.span())
        yield from _matches(self._literal, text)

    def _phrases(self, text: str) -> Iterator[Span]:
        yield from _matches(self.phrases, text)


def apart(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans in order, without those that overlap one before them."""
    kept: list[Span] = []
    for span in sorted(spans):
        if not kept or kept[-1].end <= span.start:
            kept.append(span)
    return tuple(kept)


def _matches(patterns: Sequence[re.Pattern[str]], text: str) -> Iterator[Span]:
    simple = simplified(text) if patterns else ""
    for pattern in patterns:
        yield from (Span(*match.span()) for match in pattern.finditer(simple))


def phrase(text: str) -> re.Pattern[str]:
    """Return a pattern for the words of a text in their order, whatever stands between words.

    It is for texts in simplified characters.
    """
    text = simplified(text)
    words = re.findall(r"[^\W_]+", text)
    joined = r"[\W_]+".join(map(re.escape, words)) if words else re.escape(text)
    return re.compile(joined if has_han(text) else rf"(?<![^\W_]){joined}(?![^\W_])", re.I)
