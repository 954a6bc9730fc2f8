"""Any resolver delegates a book to the one that supports its language."""

from __future__ import annotations

import pytest

from books.reading import read
from coref.errors import ResolverUnavailable
from coref.protocols import KnownCharacter, LinksGivenMentions, TakesGivenCast
from coref.registry import make_resolver, resolver_for
from tests.coref.bad_texts import PAGE
from tests.coref.chinese.gold import read_gold
from tests.coref.engines import engine
from tests.coref.laws import assert_lawful
from tests.failing import fails


@pytest.mark.parametrize("name", ["rules", "untrained"])
def test_a_chinese_book_is_read_by_the_chinese_rules(name: str) -> None:
    book = read(read_gold("ferry").book.text.encode())
    assert book.language == "zh"
    assert [c.title.split()[0] for c in book.chapters] == ["第一章", "第二章", "第三章"]
    told: list[float] = []
    with engine(name) as resolver:
        found = resolver_for(book, resolver).annotate(book, progress=told.append)
    assert found.resolver == "chinese/3"
    assert found.characters[0].name == "林秋月"
    assert_lawful(book, found)
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize("name", ["rules", "untrained"])
def test_a_resolver_of_english_refuses_a_chinese_book(name: str) -> None:
    book = read(read_gold("ferry").book.text.encode())
    with engine(name) as resolver, fails(ResolverUnavailable, match="chinese"):
        resolver.annotate(book)


def test_an_english_book_is_read_by_the_chosen_resolver() -> None:
    book = read(("Chapter 1\n\n" + PAGE).encode())
    chosen = make_resolver("rules")
    assert resolver_for(book, chosen) is chosen
    assert chosen.annotate(book).resolver.startswith("rules/")


def test_a_chinese_book_takes_no_cast_and_no_mentions() -> None:
    book = read(read_gold("ferry").book.text.encode())
    with engine("untrained") as resolver:
        assert isinstance(resolver, TakesGivenCast)
        assert isinstance(resolver, LinksGivenMentions)
        with fails(ResolverUnavailable, match="chinese"):
            resolver.annotate_given(book, [KnownCharacter("l", "林秋月", ())])
        with fails(ResolverUnavailable, match="chinese"):
            resolver.link(book, [])
