"""`bookworm profile`, and the lines of `bookworm characters`."""

from __future__ import annotations

from pathlib import Path

import pytest

from generation.types import AnswerLanguage
from service.cli.exits import Exit
from service.cli.profiles import page
from service.wire.profiles import ProfileOut, TieOut
from tests.cli.conftest import STORY, Bookworm, shelved

WHO = "Margaret"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory, story: Path) -> Path:
    """Who is meant by a pronoun decides what may be quoted, and the resolver `rules` does not say it."""
    return shelved(story, tmp_path_factory.mktemp("native_shelf"), resolver="native")


def test_the_document(bookworm: Bookworm, book: str) -> None:
    told = ProfileOut.model_validate(bookworm("profile", book, WHO, "--json").json)
    assert told.character.name == "Margaret Lowe"
    assert told.who
    shown = [q.text for q in (*told.role, *told.looks, *told.nature, *told.turning_points)]
    assert shown
    assert len({*shown, told.who.strip("“”")}) == len(shown) + 1, "nothing is said twice"


def test_the_page(bookworm: Bookworm, book: str) -> None:
    shown = bookworm("profile", book, "Mr. Peter Lowe").out
    told = ProfileOut.model_validate(bookworm("profile", book, "Mr. Peter Lowe", "--json").json)
    assert shown.startswith(f"Mr. Peter Lowe\n{told.who}\n")
    role = told.role[0]
    assert f"\nRole\n  [ch. {role.citation.chapter}] “{role.text}”\n" in shown
    assert "[ch. 1] “" in shown


def test_markdown(bookworm: Bookworm, book: str) -> None:
    shown = bookworm("profile", book, "Mr. Peter Lowe", "--markdown").out
    told = ProfileOut.model_validate(bookworm("profile", book, "Mr. Peter Lowe", "--json").json)
    assert shown.startswith("# Mr. Peter Lowe\n\n")
    assert f"\n\n{told.who}[^1]\n\n" in shown
    assert f"\n\n## Role\n\n- “{told.role[0].text}”[^" in shown
    assert f"]: Chapter {told.role[0].citation.chapter}: {told.role[0].citation.quote}\n" in shown
    assert bookworm("profile", book, WHO, "--markdown", "--json").status == Exit.USAGE


def test_relationships(bookworm: Bookworm, book: str) -> None:
    told = ProfileOut.model_validate(bookworm("profile", book, WHO, "--json").json)
    places = [q.citation for q in (*told.role, *told.looks, *told.nature)]
    captain = TieOut(predicate="wife", other=told.people[0].id, certainty=0.9, citations=places)
    shown = [line.plain for line in page(told.model_copy(update={"ties": [captain]}), AnswerLanguage.ENGLISH)]
    chapters = ", ".join(str(n) for n in sorted({place.chapter for place in places}))
    head = shown.index("\nRelationships")
    assert shown[head + 1] == f"  wife of {told.people[0].name} [ch. {chapters}]"


def test_who_says_it_and_how_little_there_is(bookworm: Bookworm, book: str) -> None:
    told = ProfileOut.model_validate(bookworm("profile", book, WHO, "--json").json)
    other = told.people[0]
    said = (*told.role, *told.looks, *told.nature)[0].model_copy(update={"quoted": True, "speaker": other.id})
    heard = said.model_copy(update={"speaker": None})
    few = told.model_copy(update={"said_by_others": [said, heard], "nature": [], "little": True})
    shown = [line.plain for line in page(few, AnswerLanguage.ENGLISH)]
    head = shown.index("\nWhat others say")
    place = f"  [ch. {said.citation.chapter}] "
    assert shown[head + 1 : head + 3] == [
        f"{place}{other.name}: “{said.text}”",
        f"{place}somebody: “{said.text}”",
    ]
    assert "Little can be said of Margaret Lowe with certainty." in shown
    assert "\nNature" not in shown


def test_quotations_have_the_marks_of_the_books_script(bookworm: Bookworm, book: str) -> None:
    told = ProfileOut.model_validate(bookworm("profile", book, WHO, "--json").json)
    said = (*told.role, *told.looks, *told.nature)[0]
    few = told.model_copy(update={"own_words": [said]})
    for language, opens, shuts in ((AnswerLanguage.CHINESE, *"“”"), (AnswerLanguage.TRADITIONAL, *"「」")):
        *_, last = (line.plain for line in page(few, language))
        assert opens in last
        assert last.endswith(shuts)


def test_the_gate(bookworm: Bookworm, book: str) -> None:
    told = bookworm("profile", book, WHO, "--upto", "1", "--json").json
    assert told["presence"]["last"]["span"]["end"] <= STORY.index("Chapter 2")
    assert "marr" not in bookworm("profile", book, WHO, "--upto", "1").out
    assert bookworm("profile", book, "Nobody Known", "--json").status == Exit.NOT_FOUND


def test_the_list_says_who_everybody_is(bookworm: Bookworm, book: str) -> None:
    shown = " ".join(bookworm("characters", book).out.split())
    for name in ("Margaret Lowe", "Mr. Peter Lowe"):
        told = ProfileOut.model_validate(bookworm("profile", book, name, "--json").json)
        assert told.who.split()[0] in shown
