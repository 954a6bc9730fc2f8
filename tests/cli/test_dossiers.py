"""`bookworm dossier`: the same document as over HTTP, and a page of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from books.types import Span
from generation.story.types import Aspect, Attitude, Bearing, Stroke, StrokeKind
from generation.types import Citation
from service.cli.app import run
from service.cli.dossiers import page
from service.cli.exits import Exit
from service.wire.attributes import StrokeOut
from service.wire.dossiers import AttitudeOut, DossierOut, Extent
from tests.cli.conftest import STORY, Bookworm
from tests.coref.conftest import make_book

WHO = "Margaret"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory, story: Path) -> Path:
    """Ties rest on who is meant by a pronoun, which the resolver `rules` does not say."""
    folder = tmp_path_factory.mktemp("native_shelf")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOOKWORM_EMBEDDER", "hashing")
        patch.setenv("BOOKWORM_RESOLVER", "native")
        assert run(["--data-dir", str(folder), "ingest", str(story), "--json"]) == 0
    return folder


@pytest.fixture
def book(bookworm: Bookworm) -> str:
    (only,) = bookworm("books", "--json").json
    return str(only["id"])


def test_the_document(bookworm: Bookworm, book: str) -> None:
    told = DossierOut.model_validate(bookworm("dossier", book, WHO, "--json").json)
    assert told.character.name == "Margaret Lowe"
    assert {t.term for t in told.ties} & {"sister", "daughter", "wife"}
    short = DossierOut.model_validate(bookworm("dossier", book, WHO, "-k", "1", "--json").json)
    assert len(short.deeds) == 1


def test_the_page(bookworm: Bookworm, book: str) -> None:
    shown = bookworm("dossier", book, "Mr. Peter Lowe").out
    assert shown.startswith("Mr. Peter Lowe\nno. ")
    for head in ("Relationships", "Traits", "Events", "Often mentioned with"):
        assert f"\n{head}\n" in shown
    assert "  brother of Margaret Lowe (" in shown
    assert "  brave (nature) [ch. 2]" in shown
    assert "  [ch. 1] mind: hate" in shown
    assert "  Margaret Lowe: " in shown


def test_how_they_stand_to_others(bookworm: Bookworm, book: str) -> None:
    told = DossierOut.model_validate(bookworm("dossier", book, WHO, "--json").json)
    me, other = told.character.id, told.company[0].other
    name = next(person.name for person in told.people if person.id == other)
    felt = Attitude(Bearing.FONDNESS, me, other, 1.0, 0.0, 0.63, (), 1, early=False, late=True, speaker=me)
    extent = Extent(make_book("Margaret"), 1, 1)
    shown = [line.plain for line in page(told.model_copy(update={"attitudes": [_out(felt, extent)]}))]
    head = shown.index("\nFeelings")
    assert shown[head + 1] == (
        f"  fondness: Margaret Lowe → {name} (63% sure, from ch. 2 on, says Margaret Lowe)"
    )
    unsaid = _out(replace(felt, speaker=None), extent)
    assert (unsaid.quoted, unsaid.late, unsaid.early) == (False, True, False)


def test_the_portrait(bookworm: Bookworm, book: str) -> None:
    told = DossierOut.model_validate(bookworm("dossier", book, WHO, "--json").json)
    me = told.character.id
    extent = Extent(make_book("Margaret"), 1, 1)
    turn = Stroke(
        kind=StrokeKind.HAS,
        aspect=Aspect.NATURE,
        text="no turn for economy",
        phrase="turn for economy",
        adjectives=(),
        noun="turn",
        counted=False,
        speaker=None,
        citation=Citation(Span(0, 8), 0),
        weight=1.0,
        denied=True,
    )
    man = replace(turn, kind=StrokeKind.IS_A, text="a sensible man", phrase="sensible man", speaker=me)
    shown = [
        line.plain
        for line in page(
            told.model_copy(
                update={
                    "portrait": [StrokeOut.of(s, citations=extent.cited((s.citation,))) for s in (turn, man)]
                }
            )
        )
    ]
    head = shown.index("\nAppearance and character")
    assert shown[head + 1 : head + 3] == [
        "  no turn for economy (nature) [ch. 1]",
        "  not a sensible man (nature, says Margaret Lowe) [ch. 1]",
    ]


def _out(attitude: Attitude, extent: Extent) -> AttitudeOut:
    return AttitudeOut.of(attitude, extent=extent)


def test_the_gate(bookworm: Bookworm, book: str) -> None:
    told = bookworm("dossier", book, WHO, "--upto", "1", "--json").json
    assert told["presence"]["last"]["span"]["end"] <= STORY.index("Chapter 2")
    assert "marr" in bookworm("dossier", book, WHO).out
    assert "marr" not in bookworm("dossier", book, WHO, "--upto", "1").out
    assert bookworm("dossier", book, "Nobody Known", "--json").status == Exit.NOT_FOUND
