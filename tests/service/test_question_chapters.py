"""The chapters that a question names, by titles and by numbers."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from service.shelf import View
from service.usecases.question_chapters import remarks_on_chapters
from service.usecases.questions import people_in
from tests.generation.story.telling import tell

TOLD = """# Clay

[Ann Hale|ann] walked in the garden with [Tom Hale|tom].

# Tom Hale

[Tom Hale|tom] went to Araby. In Araby [Tom Hale|tom] saw the sea.

# Araby

[Ann Hale|ann] came home.

# The Garden

[Ann Hale|ann] wept.

# Home

[Ann Hale|ann] slept.

# The Adventure of the Blue Gem

[Ann Hale|ann] found a blue gem.
"""


@pytest.fixture(scope="module")
def view() -> View:
    book, annotations = tell(TOLD, ann="Ann Hale/she", tom="Tom Hale/he")
    book = replace(book, title="Home")
    return cast(View, SimpleNamespace(annotations=annotations, book=book, chapters=len(book.chapters)))


@pytest.mark.parametrize(
    ("question", "taken"),
    [
        ("Who walks in “Clay”?", {"Clay": 1}),
        ("In ‘Clay,’ who walks?", {"Clay": 1}),
        ("What happens in Clay?", {"Clay": 1}),
        ("Who walks in “Clay” and in 'Araby'?", {"Clay": 1, "Araby": 3}),
        ("What is “Clay” about?", {"Clay": 1}),
        ("what happens in clay", {"clay": 1}),
        ("What happens at the end of Clay?", {"Clay": 1}),
        ("What happens in the chapter Araby?", {"Araby": 3}),
        ("Who walks in the story Clay?", {"Clay": 1}),
        ("Who finds it in The Adventure of the Blue Gem?", {"The Adventure of the Blue Gem": 6}),
        ("Who finds it in The Blue Gem?", {"The Blue Gem": 6}),
        ("What happens in “The Blue Gem?”", {"The Blue Gem": 6}),
        ("What happens in Araby?", {"Araby": 3}),
        ("What happens in Tom Hale?", {"Tom Hale": 2}),
    ],
)
def test_a_title_names_its_chapter(view: View, question: str, taken: dict[str, int]) -> None:
    assert remarks_on_chapters(view, question) == tuple(
        f"“{title}” was taken for chapter {number}." for title, number in taken.items()
    )


@pytest.mark.parametrize(
    "question",
    [
        "What does Tom see in Araby?",
        "Who walks in Clay?",
        "Who is “Tom Hale”?",
        "What did Ann mean by “Clay”?",
        "Who says “clay”?",
        "What happens in the garden?",
        "WHO WALKS IN CLAY?",
        "What happens in Home?",
        "Who wept in the garden?",
        "Who finds it in the blue gem?",
        "What happens to Tom Hale?",
        "What becomes of Tom Hale?",
        "What does Ann see in Tom Hale?",
        "Who found clay?",
        "What did she say of ‘the gem’?",
    ],
)
def test_a_place_a_person_or_a_thing_is_no_title(view: View, question: str) -> None:
    assert remarks_on_chapters(view, question) == ()


def test_a_name_in_a_title_is_nobody(view: View) -> None:
    assert [one.id for one in people_in(view, "What happens to Ann Hale in “Tom Hale”?", ())] == ["ann"]
    assert [one.id for one in people_in(view, "What happens to Ann Hale and Tom Hale?", ())] == ["ann", "tom"]
    assert people_in(view, "what happens in tom hale?", ()) == ()
    assert [one.id for one in people_in(view, "Who is “Tom Hale”?", ())] == ["tom"]


def test_chapters_of_one_title_are_named_together() -> None:
    book, annotations = tell("# Home\n\nShe wept.\n\n# Away\n\nShe sang.\n\n# Home\n\nShe slept.\n")
    view = cast(View, SimpleNamespace(annotations=annotations, book=book, chapters=3))
    assert remarks_on_chapters(view, "Who wept in “Home”?") == ("“Home” was taken for chapters 1 and 3.",)


def test_a_chapter_whose_heading_has_another_number_is_told() -> None:
    titles = "Prologue", "I", "II", "PART TWO, 1. Home", "PART TWO, 5. Away", "I Go to Sea"
    book, annotations = tell("".join(f"# {title}\n\nShe wept.\n\n" for title in titles), ann="Ann/she")
    view = cast(View, SimpleNamespace(annotations=annotations, book=book, chapters=len(titles)))
    assert remarks_on_chapters(view, "Who wept in chapter 2?") == (
        "Chapter 2 of the book has the heading “I”.",
    )
    assert remarks_on_chapters(view, "Who wept in chapters 1 to 5?") == (
        "Chapter 4 of the book has the heading “PART TWO, 1. Home”.",
    )
    for question in (*(f"Who wept in chapter {n}?" for n in (1, 5, 6)), "Who wept in “PART TWO, 1. Home”?"):
        assert not any("heading" in remark for remark in remarks_on_chapters(view, question))
