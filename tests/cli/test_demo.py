"""`bookworm demo` on the novella: what `make demo` shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.cli.exits import Exit
from tests.cli.conftest import Bookworm, Ran


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


def test_it_describes_lists_and_says_what_next(bookworm: Bookworm, folder: Path) -> None:
    check(bookworm("demo", data_dir=folder))


@pytest.mark.soak
def test_so_does_the_native_resolver(
    bookworm: Bookworm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKWORM_RESOLVER", "native")
    check(bookworm("demo", data_dir=tmp_path))


def check(ran: Ran) -> None:
    assert ran.status == Exit.OK
    assert ran.out.count("[ch. ") > 3
    assert re.match(r"─+ Who is [^?]+\? ─+\n[^\n]+: description in \d+ words\n", ran.out)
    description = ran.out.split("The same after")[0]
    assert "“" in description
    for table in ("PRISMA", "Category", "Verdict"):
        assert table not in ran.out
    assert "in the chapters you have read" in ran.out
    assert ran.out.index("Mentions") > ran.out.index("in the chapters you have read")
    assert "serve" in ran.out.split("Next steps")[1]
    whole, gated = re.findall(r"words[^\n]*\n\n(.*?)\n\n", ran.out, re.DOTALL)[:2]
    assert whole != gated


def test_what_it_proposes_next_works(bookworm: Bookworm, folder: Path) -> None:
    proposed = re.findall(
        r'(describe) (\S+) "([^"]+)"(?: (--upto) (\d+))?', bookworm("demo", data_dir=folder).out
    )
    assert len(proposed) >= 2
    for command in proposed:
        assert bookworm(*filter(None, command), data_dir=folder).status == Exit.OK


def test_twice_is_the_same(bookworm: Bookworm, folder: Path) -> None:
    assert bookworm("demo", data_dir=folder).out == bookworm("demo", data_dir=folder).out


def test_it_can_be_read_by_a_program(bookworm: Bookworm, folder: Path) -> None:
    told = bookworm("demo", "--json", data_dir=folder).json
    assert told["book"]["state"] == "ready"
    assert told["description"]["characters"][0]["id"] == told["characters"]["items"][0]["id"]
    assert told["description"]["facts"]
