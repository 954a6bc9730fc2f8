"""A whole dossier, with company, presence, speech and change, also behind the spoiler gate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from books.gate import cut
from books.types import Book
from coref import storage
from coref.gate import gate
from coref.types import Annotations
from generation.story.dossier_builder import make
from generation.types import Citation
from tests.generation.story.telling import tell

PEOPLE = {"ann": "Ann Hale/she", "tom": "Tom Reed/he", "kate": "Kate Moss/she"}
EARLY = (
    "[Ann Hale|ann] met [Kate Moss|kate] at the mill. [Ann Hale|ann] taught [Kate Moss|kate] French. "
    "[Ann Hale|ann] was timid. [She|ann] obeyed [Kate Moss|kate].\n\n"
    "{kate>ann:“Be quick,”} said [Kate Moss|kate] to [Ann Hale|ann].\n\n"
)
LATE = (
    "[Mrs. Reed|ann] ruled the house. [Mrs. Reed|ann] refused [Tom Reed|tom] the key. "
    "[Mrs. Reed|ann] was bold. [She|ann] warned [Tom Reed|tom].\n\n"
    "{ann>tom:“Stay, for the mill is mine,”} said [Mrs. Reed|ann] to [Tom Reed|tom].\n\n"
)
STORY = "".join(f"# Chapter {n}\n\n{EARLY if n < 4 else LATE}{EARLY if n < 4 else LATE}" for n in range(1, 7))


@pytest.fixture(scope="module")
def book() -> tuple[Book, Annotations]:
    return tell(STORY, **PEOPLE)


def test_company_and_presence_are_counted(book: tuple[Book, Annotations]) -> None:
    found = make(*book, "ann")
    assert {c.other for c in found.company} == {"kate", "tom"}
    assert next(c for c in found.company if c.other == "kate").chapters == (0, 1, 2)
    assert found.presence.chapters == tuple(range(6))
    assert (found.presence.rank, found.presence.share) == (1, 1.0)
    assert "met" in book[0].slice(found.presence.first.span)


def test_speech_says_to_whom_and_how_much(book: tuple[Book, Annotations]) -> None:
    found = make(*book, "ann").speech
    assert found.quotes == 6
    assert found.listeners == (("tom", 6),)
    assert 0.5 < found.share < 1
    assert make(*book, "tom").speech.quotes == 0


def test_what_changes_between_the_thirds(book: tuple[Book, Annotations]) -> None:
    found = make(*book, "ann").change
    assert found is not None
    assert [c.other for c in found.early.company] == ["kate"]
    assert [c.other for c in found.late.company] == ["tom"]
    assert [n.text for n in found.new_names] == ["Mrs. Reed"]
    assert {q.text for q in found.early.qualities} == {"timid"}
    assert {q.text for q in found.late.qualities} == {"bold"}
    assert {d.lemma for d in found.late.deeds} >= {"refuse", "warn"}


def test_nothing_gets_past_the_gate(book: tuple[Book, Annotations]) -> None:
    whole, annotations = book
    upto = whole.chapters[2].span.end
    seen = make(cut(whole, upto), gate(annotations, upto=upto), "ann")
    cited: list[Citation] = [d.citation for d in seen.deeds]
    cited += [c for part in (seen.ties, seen.roles, seen.qualities) for each in part for c in each.citations]
    assert cited
    assert all(c.span.end <= upto for c in cited)
    assert {c.other for c in seen.company} == {"kate"}
    assert "bold" not in {q.text for q in seen.qualities}


def test_without_a_parse_there_is_still_who_and_where(book: tuple[Book, Annotations]) -> None:
    whole, annotations = book
    found = make(whole, replace(annotations, parse=None, traits=()), "ann")
    assert (found.deeds, found.qualities, found.roles) == ((), (), ())
    assert found.presence.chapters == tuple(range(6))
    assert found.company


def test_a_dossier_is_made_once(book: tuple[Book, Annotations]) -> None:
    assert make(*book, "tom") is make(*book, "tom")


def test_it_is_the_same_from_the_columns_of_a_file(book: tuple[Book, Annotations], tmp_path: Path) -> None:
    whole, annotations = book
    storage.save(annotations, tmp_path / "a")
    stored = storage.load(tmp_path / "a")
    for character in ("ann", "tom", "kate"):
        assert make(whole, stored, character) == make(whole, annotations, character)
