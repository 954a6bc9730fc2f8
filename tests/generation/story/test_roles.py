"""Roles of a character: supported by the book, or left out."""

from __future__ import annotations

import pytest

from tests.generation.story.telling import dossier

PEOPLE = {"john": "John Silver/he", "smith": "Arthur Smith/he", "ruth": "Mrs. Reed/she", "lee": "Dr. Lee/he"}
FILLER = "[John Silver|john] laughed. [He|john] sang. " * 80


def roles(text: str, of: str) -> list[str]:
    return [role.phrase for role in dossier(f"# One\n\n{text}", of, **PEOPLE).roles]


def test_who_is_said_plainly_to_be_it_is() -> None:
    assert roles("[Mrs. Reed|ruth] was the housekeeper at Pemberley.", "ruth") == ["housekeeper at Pemberley"]


@pytest.mark.parametrize(
    "text",
    [
        "They met [Mrs. Reed|ruth], the housekeeper, on the stairs.",
        "The housekeeper, [Mrs. Reed|ruth], came in.",
        "The housekeeper [Mrs. Reed|ruth] came in.",
    ],
)
def test_who_stands_by_the_word_is(text: str) -> None:
    assert roles(text, "ruth") == ["housekeeper"]


@pytest.mark.parametrize(
    "ending", ["[I|lee] am your obedient servant.", "[Dr. Lee|lee], your humble servant."]
)
def test_the_end_of_a_letter_makes_nobody_a_servant(ending: str) -> None:
    assert "servant" not in " ".join(roles(ending, "lee"))
    assert roles("[Mrs. Reed|ruth] was a servant at Pemberley.", "ruth") == ["servant at Pemberley"]


def test_a_row_of_people_tells_nobodys_role() -> None:
    assert roles("They met [Mrs. Reed|ruth], the housekeeper, and [Dr. Lee|lee].", "ruth") == []


@pytest.mark.parametrize(
    "text",
    [
        "[Mrs. Reed|ruth] was not the housekeeper.",
        "[Mrs. Reed|ruth] might be the housekeeper.",
        "[Mrs. Reed|ruth] met the housekeeper.",
        "[Mrs. Reed|ruth] was a prisoner in the house.",
    ],
)
def test_who_is_not_it_is_not(text: str) -> None:
    assert roles(text, "ruth") == []


def test_what_somebody_once_calls_a_man_of_many_pages_is_not_what_he_is() -> None:
    called = "{smith>john:“[You|john] are the captain,”} said [Captain Smith|smith].\n\n"
    assert roles(called + FILLER, "john") == []
    assert roles(called + FILLER + "[Captain Smith|smith] left.", "smith") == ["captain"]


def test_a_title_tells_a_calling_and_cites_the_name() -> None:
    found = dossier("# One\n\nOld [Dr. Lee|lee] came.", "lee", **PEOPLE).roles[0]
    assert (found.phrase, found.speaker) == ("doctor", None)
    assert found.citations[0].span.start == 7


def test_two_who_say_so_are_believed_and_named() -> None:
    said = (
        "{ruth>lee:“[John Silver|john] is a cook,”} said [Mrs. Reed|ruth].\n\n"
        "{lee>ruth:“[John Silver|john] is a good cook,”} said [Dr. Lee|lee].\n\n"
    )
    found = dossier(f"# One\n\n{said}", "john", **PEOPLE).roles
    assert [role.head for role in found] == ["cook"]
    assert found[0].speaker in ("ruth", "lee")


@pytest.mark.parametrize("name", ["Master Tom", "Sir Tom", "Lady Tom"])
def test_titles_of_rank_and_of_boys_are_no_callings(name: str) -> None:
    told = f"# One\n\n[{name}|tom] came. [{name}|tom] went."
    assert dossier(told, "tom", tom="Tom Reed/he").roles == ()
