"""For any book: an honest result, lawful annotations, bounded time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from books.reading import read
from books.types import Book
from coref.errors import ResolverUnavailable
from coref.protocols import Resolver
from coref.registry import resolver_for
from coref.types import Annotations
from tests.coref.bad_texts import (
    BAD,
    FEWER,
    LITTLE,
    NOBODY,
    PEOPLE,
    PEOPLE_ZH,
    SENTENCES,
    SHARE,
    many_people,
    many_people_zh,
)
from tests.coref.engines import OFFLINE, engine
from tests.coref.laws import assert_lawful

ROOT = Path(__file__).parents[2]
LOADED, LOADED_ZH = "Tom went home.", "王大明回家了。"
"""What is read first, so that the time is not that of loading dictionaries and networks."""
SECONDS = {1: 60.0, SHARE: 8.0, LITTLE: 3.0}
"""Limit of processor time for every `HUGE` characters of a whole book, on a slow machine.

Most books take a tenth of it. For a quarter of a book it is an eighth, so that quadratic time shows there
too.
"""
HUGE = 200_000
LONG_SECONDS, LONG_MIB = 900.0, 4096
SENSIBLE = ("rules", "chinese", "native")
"""Resolvers with meaningful results."""

FEW = 16
"""`make test` reads a little of one in so many of the bad texts, and the soak a quarter of all of them."""


def readings(names: Iterable[str]) -> list[tuple[str, str]]:
    """Texts with each resolver that reads them. A Chinese one is read by `chinese`, whichever is chosen."""
    return [(r, name) for r in OFFLINE for name in names if r == "chinese" or not name.endswith("_zh")]


@pytest.fixture(scope="module")
def resolver(request: pytest.FixtureRequest) -> Iterator[Resolver]:
    with engine(request.param) as made:
        yield made


def book_of(name: str, share: int = LITTLE) -> Book:
    return read(BAD[name](share).encode(), force=True)


@pytest.mark.parametrize(("resolver", "name"), readings(list(BAD)[::FEW]), indirect=["resolver"])
def test_a_little_is_lawful_and_in_time(name: str, resolver: Resolver) -> None:
    check(name, resolver, share=LITTLE)


@pytest.mark.soak
@pytest.mark.parametrize(("resolver", "name"), readings(BAD), indirect=["resolver"])
def test_a_quarter_is_lawful_and_in_time(name: str, resolver: Resolver) -> None:
    if len(BAD[name](1)) > HUGE and resolver.name.startswith("native"):
        pytest.skip("a network takes minutes for it; `make soak` has it")
    check(name, resolver, share=SHARE)


@pytest.mark.soak
@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("resolver_name", "name"), readings(BAD))
def test_whole_books_are_lawful_and_in_time(name: str, resolver_name: str) -> None:
    with engine(resolver_name) as resolver:
        check(name, resolver, share=1)


def check(name: str, resolver: Resolver, *, share: int) -> None:
    book, whole = book_of(name, share), len(BAD[name](1))
    resolver = resolver_for(book, resolver)
    resolver.annotate(read((LOADED_ZH if book.language == "zh" else LOADED).encode(), force=True))
    started = time.process_time()
    found = resolver.annotate(book)
    assert time.process_time() - started < SECONDS[share] * (1 + whole // HUGE)
    assert_lawful(book, found)


@pytest.mark.parametrize(
    ("resolver", "name"), readings(["diary", "many_people", "every_sentence"]), indirect=["resolver"]
)
def test_twice_it_is_the_same(name: str, resolver: Resolver) -> None:
    book = book_of(name)
    assert resolver.annotate(book) == resolver.annotate(book)


def resolve(resolver: str, book: Book) -> Annotations:
    try:
        with engine(resolver) as made:
            return resolver_for(book, made).annotate(book)
    except ResolverUnavailable as missing:
        pytest.skip(missing.detail)


@pytest.mark.parametrize("name", NOBODY)
@pytest.mark.parametrize("resolver_name", SENSIBLE)
def test_where_nobody_is_nobody_is_listed(name: str, resolver_name: str) -> None:
    assert len(resolve(resolver_name, book_of(name)).characters) <= NOBODY[name][1]


@pytest.mark.parametrize(
    ("resolver_name", "name"), [("rules", "diary"), ("chinese", "diary_zh"), ("native", "diary")]
)
def test_a_diary_has_one_character_who_tells_it(resolver_name: str, name: str) -> None:
    found = resolve(resolver_name, book_of(name))
    assert [c.id for c in found.characters] == [found.narrator]


@pytest.mark.parametrize(
    ("resolver_name", "text", "people"),
    [
        ("rules", many_people(), PEOPLE),
        ("chinese", f"{many_people_zh()}\n\n{many_people_zh()}", PEOPLE_ZH),
        ("native", many_people(FEWER), FEWER),
        pytest.param("native", many_people(), PEOPLE, marks=pytest.mark.soak),
    ],
    ids=["rules", "chinese", "native", "native all"],
)
def test_hundreds_of_people_stay_apart(resolver_name: str, text: str, people: int) -> None:
    found = resolve(resolver_name, read(text.encode(), force=True))
    assert 0.8 * people < len(found.characters) <= 1.1 * people


@pytest.mark.parametrize("resolver_name", ["rules", "native"])
def test_without_quotes_nobody_speaks_and_all_are_found(resolver_name: str) -> None:
    found = resolve(resolver_name, book_of("no_quotes"))
    assert found.quotes == ()
    assert {"Tom Hale", "Mrs. Hale", "Edward Vane"} <= {c.name for c in found.characters}


@pytest.mark.parametrize("share", [LITTLE, pytest.param(SHARE, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", ["every_sentence", "same_lines", "quotes_in_a_line"])
def test_one_name_without_end_is_one_person(name: str, share: int) -> None:
    found = resolve("rules", book_of(name, share))
    assert [c.name for c in found.characters] == ["Tom"]
    assert found.characters[0].mention_count >= SENTENCES // share


def test_quotes_that_never_close_go_on_only_where_the_next_paragraph_opens_one() -> None:
    book = book_of("unclosed")
    found = resolve("rules", book)
    assert len(found.quotes) >= 100
    for quote in found.quotes:
        assert all(later.startswith("“") for later in book.slice(quote.span).split("\n\n")[1:])


@pytest.mark.soak
@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("resolver_name", "name"),
    [
        ("rules", "very_long"),
        ("untrained", "very_long"),
        ("chinese", "very_long_zh"),
    ],
)
def test_two_million_words(resolver_name: str, name: str) -> None:
    command = [sys.executable, "-m", "tests.coref.bad_child", resolver_name, name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3500)
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["seconds"] < LONG_SECONDS
    assert told["mib"] < LONG_MIB
    assert told["characters"] > 0 or resolver_name == "untrained"
