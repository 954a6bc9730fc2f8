"""Invariants of all annotations, for any resolver and any book."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from books.types import Book, Span
from coref.language.word_lists import same
from coref.types import Annotations


def assert_lawful(book: Book, found: Annotations) -> None:
    ids = {c.id for c in found.characters}
    assert len(ids) == len(found.characters)
    _assert_mentions(book, found, ids)
    _assert_quotes(book, found, ids)
    _assert_characters(found)
    for teller in found.tellers:
        assert teller.character in ids
        _assert_inside(book, teller.span)
    for merge in found.merges:
        assert merge.character in ids
        assert 0 <= merge.confidence <= 1
    for doubt in found.doubts:
        assert {doubt.one, doubt.other} <= ids
        assert doubt.one != doubt.other
        assert 0 <= doubt.confidence <= 1
    for trait in found.traits:
        assert trait.character in ids
        assert trait.other is None or trait.other in ids
        _assert_inside(book, trait.span)
    assert [t.span.start for t in found.traits] == sorted(t.span.start for t in found.traits)
    assert found.narrator is None or found.narrator in ids


def _assert_inside(book: Book, span: Span) -> None:
    assert 0 <= span.start < span.end <= len(book.text)


def _assert_mentions(book: Book, found: Annotations, ids: set[str]) -> None:
    for mention in found.mentions:
        _assert_inside(book, mention.span)
        assert book.slice(mention.span) == mention.surface
        assert mention.character is None or mention.character in ids
        assert 0 <= mention.confidence <= 1
    assert [m.key for m in found.mentions] == sorted(m.key for m in found.mentions)


def _assert_quotes(book: Book, found: Annotations, ids: set[str]) -> None:
    for one, other in pairwise(found.quotes):
        assert one.span.end <= other.span.start
    for quote in found.quotes:
        _assert_inside(book, quote.span)
        assert {quote.speaker, quote.addressee} <= ids | {None}
        assert 0 <= quote.confidence <= 1
        assert (quote.speaker is None) == (quote.confidence == 0)


def _assert_characters(found: Annotations) -> None:
    counts = Counter(m.character for m in found.mentions)
    firsts: dict[str, int] = {}
    for mention in found.mentions:
        if mention.character:
            firsts.setdefault(mention.character, mention.span.start)
    for character in found.characters:
        assert character.mention_count == counts[character.id] > 0
        assert character.first == firsts[character.id]
        assert same(character.name) in {same(a.text) for a in character.aliases}
    order = [-c.mention_count for c in found.characters]
    assert order == sorted(order)
