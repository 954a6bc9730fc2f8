"""Mentions in short texts are the same as in books, however many texts are read together."""

from __future__ import annotations

import time

import pytest

from coref.language.tokens import tokenize
from coref.native.book_pass import FoundMentions, read_book
from coref.native.book_words import words_of
from coref.native.resolver import NativeResolver
from coref.native.text_parser import as_book
from coref.types import Mention
from evaluation import novella

TEXTS = [text for reference in novella.gold().references for text in reference.descriptions]


@pytest.fixture(scope="module")
def resolver() -> NativeResolver:
    return NativeResolver()


def read(resolver: NativeResolver, text: str) -> list[tuple[int, int, str, str]]:
    """Find mentions as in a book."""
    words = words_of(tokenize(as_book(text)), [])
    found: FoundMentions = read_book(
        resolver._network, resolver._pieces, words, chapters=[0] * len(words.paragraphs)
    )
    return [
        (words.starts[first], words.ends[end - 1], category.value, kind.value)
        for (first, end), category, kind in zip(found.spans, found.categories, found.kinds, strict=True)
    ]


def rows(mentions: tuple[Mention, ...]) -> list[tuple[int, int, str, str]]:
    return [(m.span.start, m.span.end, m.category.value, m.kind.value) for m in mentions]


def test_each_text_is_read_as_a_book_of_its_own(resolver: NativeResolver) -> None:
    tagged = resolver.tag(TEXTS)
    assert len(tagged) == len(TEXTS) > 4
    for text, mentions in zip(TEXTS, tagged, strict=True):
        assert len(mentions) > 4
        assert rows(mentions) == read(resolver, text)
        assert all(m.surface == m.span.of(text) and m.character is None for m in mentions)


@pytest.mark.soak
def test_neighbours_make_no_difference(resolver: NativeResolver) -> None:
    together = resolver.tag(["", TEXTS[0], "…\n\n", TEXTS[1] * 30, TEXTS[2]])
    assert together[0] == together[2] == ()
    assert together[1] == resolver.tag([TEXTS[0]])[0]
    assert together[4] == resolver.tag([TEXTS[2]])[0]
    assert resolver.tag([]) == []


@pytest.mark.soak
def test_a_long_text_is_read_to_its_end(resolver: NativeResolver) -> None:
    text = " ".join(TEXTS * 10)
    start = time.perf_counter()
    (mentions,) = resolver.tag([text])
    assert time.perf_counter() - start < 60
    assert mentions[-1].span.end > len(text) - 100
    assert len(mentions) > 9 * len(resolver.tag([" ".join(TEXTS)])[0])
