"""`bookworm dossier`: the same document as over HTTP, and a page of it."""

from __future__ import annotations

import pytest

from service.cli.exits import Exit
from service.http.schemas.dossiers import DossierOut
from tests.cli.conftest import STORY, Bookworm

WHO = "Margaret"


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
    for head in ("Ties", "Qualities", "Deeds", "Company"):
        assert f"\n{head}\n" in shown
    assert "  brother of Margaret Lowe (" in shown
    assert "  brave (nature) [ch. 2]" in shown
    assert "  [ch. 1] mind: hate" in shown
    assert "  Margaret Lowe: " in shown


def test_the_gate(bookworm: Bookworm, book: str) -> None:
    told = bookworm("dossier", book, WHO, "--upto", "1", "--json").json
    assert told["presence"]["last"]["span"]["end"] <= STORY.index("Chapter 2")
    assert "marr" in bookworm("dossier", book, WHO).out
    assert "marr" not in bookworm("dossier", book, WHO, "--upto", "1").out
    assert bookworm("dossier", book, "Nobody Known", "--json").status == Exit.NOT_FOUND
