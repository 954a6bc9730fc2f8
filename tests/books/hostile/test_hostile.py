"""Each hostile file is refused with its own code or read correctly, in little time and memory."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from books.errors import BookwormError
from books.reading import read
from tests.books.hostile.attacks import ATTACKS
from tests.books.hostile.corpus import CORPUS, READ
from tests.books.hostile.markups import CARRIERS, included, scripts
from tests.books.laws import assert_lawful

ROOT = Path(__file__).parents[3]
MOST_SECONDS = 15.0
"""Processor time: the slowest take 3 s on quiet cores, and twice that on shared ones. What grows with the
square of the file takes minutes."""
MOST_MIB = 1024
SECRETS = ("root:x:", "steal")

SOAK = {
    "bomb_in_docx", "bomb_in_what_is_not_read", "bomb_of_many", "bomb_that_lies", "gzip_bomb",
    "blank_lines", "headings_only", "labels", "numbered_headings_only", "one_line", "endless_acts",
    "endless_chapter_pairs", "endless_dates", "endless_letters", "endless_notes", "endless_pairs",
    "endless_braces", "endless_brackets", "endless_chapters_on_a_line", "endless_dotted_contents",
    "endless_titles_after", "empty_paragraphs", "many_elements", "tiny_paragraphs", "markdown_brackets",
    "markdown_deeper_lists", "markdown_entities", "markdown_footnotes", "markdown_hard_breaks",
    "markdown_hashes", "markdown_html", "markdown_numbered_lists", "markdown_pictures", "markdown_rules",
    "markdown_tables", "markdown_underscores",
}  # fmt: skip
"""Files that take longest; each has a relative of its kind that takes less, which `make test` reads."""

Reading = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def reading() -> Iterator[Reading]:
    """Read a file of the corpus in a process of its own, and return the outcome."""
    command = [sys.executable, "-m", "tests.books.hostile.child"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        asked, told = child.stdin, child.stdout
        assert asked is not None
        assert told is not None

        def ask(name: str) -> dict[str, Any]:
            asked.write(name + "\n")
            asked.flush()
            answer: dict[str, Any] = json.loads(told.readline())
            return answer

        yield ask
        asked.close()


_LITTLE = [name for name in CORPUS if name not in SOAK]
QUICK = {*_LITTLE[::2], *{CORPUS[name].outcome: name for name in _LITTLE}.values()}
"""What `make test` reads: every second file of those that take little, and one for each outcome."""


def names() -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.soak] * (name not in QUICK)) for name in CORPUS]


@pytest.mark.parametrize("name", names())
def test_a_hostile_file_is_refused_or_read_safely(name: str, reading: Reading) -> None:
    answer = reading(name)
    assert answer["outcome"] == CORPUS[name].outcome
    assert answer["seconds"] < MOST_SECONDS
    assert answer["mib"] < MOST_MIB
    assert not [secret for secret in SECRETS if secret in answer["told"]]


def test_every_outcome_is_met_somewhere() -> None:
    """A corpus that is only refused, or only read, would prove little; nor may the soak alone meet one."""
    assert set(CORPUS) >= SOAK
    outcomes = {case.outcome for name, case in CORPUS.items() if name in QUICK}
    assert {READ, "file_hostile", "file_damaged", "file_locked", "book_too_large", "not_text"} <= outcomes


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("attack", ["xxe_http", "external_dtd", "parameter_entities"])
def test_nothing_calls_home(carrier: str, attack: str) -> None:
    """libxml2 opens connections that Python's own block does not see, so a server listens for them."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        home = f"http://127.0.0.1:{listener.getsockname()[1]}/tide.dtd"
        hostile = ATTACKS[attack].calling(home)
        with suppress(BookwormError):
            assert_lawful(read(CARRIERS[carrier](hostile)))
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_what_stands_beside_a_script_is_read() -> None:
    book = read(scripts())
    assert "He stayed." in book.text
    assert "the tide" in book.text


def test_what_stands_beside_an_inclusion_is_read() -> None:
    assert "It rained on the harbour" in read(included()).text
