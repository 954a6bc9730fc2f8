"""Books that are too short for what is asked, how long they are, and one of a single chapter."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from service.cli.app import run
from service.cli.exits import Exit
from tests.cli.conftest import Bookworm, Ran

Short = Callable[..., Ran]
LONG = "\n\n".join(f"Martha met Jane at gate {n}, and they went to the sea." for n in range(40)) + "\n"


RIVER = "第一回 渡河\n\n" + "黛玉笑道：“姐姐请坐。”黛玉走到河边，宝玉看见了黛玉。\n\n" * 5


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a book of two words, one in Chinese, and one without chapters."""
    folder = tmp_path_factory.mktemp("short")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOOKWORM_EMBEDDER", "hashing")
        patch.setenv("BOOKWORM_RESOLVER", "rules")
        for name, text in (("one", "Martha slept.\n"), ("river", RIVER), ("long", LONG)):
            (folder / f"{name}.txt").write_text(text, "utf-8")
            assert run(["--data-dir", str(folder / "data"), "ingest", str(folder / f"{name}.txt")]) == 0
    return folder


@pytest.fixture
def short(bookworm: Bookworm, tiny: Path) -> Short:
    return partial(bookworm, data_dir=tiny / "data")


def test_a_chinese_book_says_that_its_traits_are_not_read(short: Short) -> None:
    said = "Traits are not read in Chinese books."
    assert said in short("traits", "river", "黛玉").err
    assert short("traits", "river", "黛玉", "--json").json["remarks"] == [said]


def test_the_length_of_a_chinese_book_is_in_characters(short: Short) -> None:
    listed = short("books").out
    assert " characters " in listed
    assert "2 words" in listed
    assert "Characters" in short("chapters", "river").out
    assert " characters" in short("recap", "river").out
    assert " words" in short("recap", "one").out


def test_a_book_without_people(short: Short) -> None:
    assert short("characters", "one").err == "No characters were found.\n"
    assert short("characters", "one", "--upto", "1").err == "No characters were found so far.\n"
    unknown = short("describe", "one", "Martha")
    assert unknown.status == Exit.NOT_FOUND
    assert unknown.err.endswith(": No characters were found in this book.\nSearch its text instead.\n")


def test_a_book_that_is_too_short_for_a_quiz(short: Short) -> None:
    assert short("quiz", "one").err == "This book is too short, or has too few scenes, for a quiz.\n"
    assert short("quiz", "one", "--upto", "1").err == "Too little has happened so far to ask about.\n"


def test_a_chapter_without_a_title_has_its_number_in_the_timeline(short: Short) -> None:
    assert short("timeline", "one").out == "  1  Chapter 1\n     “Martha slept.”\n"


def test_the_timeline_of_a_long_chapter_says_how_far_into_the_book_it_is(
    short: Short, monkeypatch: pytest.MonkeyPatch
) -> None:
    for length in ("_STRETCH", "_VERY_LONG"):
        monkeypatch.setattr(f"retrieval.events.signs.{length}", 150)
    items = short("timeline", "long", "--json").json["items"]
    assert [item["chapter"] for item in items] == [1, 1, 1]
    percents = [item["percent"] for item in items]
    assert percents == sorted(percents)
    assert f"Chapter 1, {percents[1]}% into the book" in short("timeline", "long").out
    assert short("timeline", "one", "--json").json["items"][0]["percent"] is None
