"""`bookworm demo` on the novella: what `make demo` shows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from evaluation import novella
from evaluation.corpus.quotations import find
from generation.models.openai import local_servers
from service.cli.exits import Exit
from tests.cli.conftest import Bookworm, Ran
from tests.generation.models.openai.fake import Fake


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


def test_it_describes_lists_and_says_what_next_which_works(bookworm: Bookworm, folder: Path) -> None:
    ran = bookworm("demo", data_dir=folder)
    check(ran)
    proposed = re.findall(r'(describe) (\S+) "([^"]+)"(?: (--upto) (\d+))?', ran.out)
    assert len(proposed) >= 2
    for command in proposed:
        assert bookworm(*filter(None, command), data_dir=folder).status == Exit.OK
    assert bookworm("demo", data_dir=folder).out == ran.out, "twice is the same"


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


def test_a_model_on_this_machine_is_told_and_changes_nothing_else(
    bookworm: Bookworm, folder: Path, monkeypatch: pytest.MonkeyPatch, ollama: Fake
) -> None:
    beside = bookworm("demo", data_dir=folder).out
    assert not ollama.asked(), "the demo waits for no model"
    monkeypatch.setattr(local_servers.find_models, "__defaults__", ({},))
    monkeypatch.setattr(local_servers.first_model, "__defaults__", ({},))
    alone = bookworm("demo", data_dir=folder).out.splitlines()
    (told,) = (line for line in beside.splitlines() if line not in alone)
    assert [line for line in beside.splitlines() if line != told] == alone
    assert told.startswith("By a language model that was found here:")
    assert told.endswith("--model ollama:qwen3:8b")


def test_it_can_be_read_by_a_program(bookworm: Bookworm, folder: Path) -> None:
    told = bookworm("demo", "--json", data_dir=folder).json
    assert told["book"]["state"] == "ready"
    assert told["description"]["characters"][0]["id"] == told["characters"]["items"][0]["id"]
    assert told["description"]["facts"]


def gold() -> dict[str, Any]:
    return tomllib.loads((novella.path().parent / "handmade" / "demo.toml").read_text("utf-8"))


def test_the_quotations_of_its_gold_are_in_the_novella() -> None:
    facts = gold()["fact"]
    assert len(facts) == 8
    assert not [quote for fact in facts for quote in fact["quotes"] if find(quote, novella.text()) is None]
    assert set(gold()["who"]) <= {character.id for character in novella.gold().characters}


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_what_it_says_is_what_a_reader_should_know(
    bookworm: Bookworm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the default engines. 5 of 8 facts and 10 of 10 lines are wanted; what is reached is less."""
    monkeypatch.delenv("BOOKWORM_RESOLVER")
    monkeypatch.delenv("BOOKWORM_EMBEDDER")
    check(bookworm("demo", data_dir=tmp_path))
    told = bookworm("demo", "--json", data_dir=tmp_path).json
    stated = [fact["text"] for fact in gold()["fact"] if states(told["description"], fact)]
    assert len(stated) >= 2, f"{len(stated)} of 8 key facts are stated: {stated}"
    lines = {}
    for person in told["characters"]["items"][:10]:
        card = bookworm("profile", told["book"]["id"], person["id"], "--json", data_dir=tmp_path).json
        lines[person["name"]] = card["who"], right(person, card["who"])
    assert sum(is_right for _, is_right in lines.values()) >= 3, lines


def states(description: dict[str, Any], fact: dict[str, Any]) -> bool:
    """Whether a sentence cites a quotation of the fact, or contains a word of it."""
    spans = [span for quote in fact["quotes"] if (span := find(quote, novella.text()))]
    return any(
        any(
            c["span"]["start"] < span.end and span.start < c["span"]["end"]
            for c in said["citations"]
            for span in spans
        )
        or any(word in said["text"].casefold() for word in fact["words"])
        for said in description["sentences"]
    )


def right(person: dict[str, Any], who: str) -> bool:
    """Whether a line says what somebody of the cast is, or whose."""
    names = {person["name"], *(alias["text"] for alias in person["aliases"])}
    meant = [
        c.id for c in novella.gold().characters if c.name in names or names & {a.text for a in c.aliases}
    ]
    return any(word in who.casefold() for who_is in meant for word in gold()["who"].get(who_is, ()))
