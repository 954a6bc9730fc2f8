"""Books of which little can be said: a short card in the book's words, and no statistics in their place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from books.reading import read
from books.types import Book
from coref.chinese.resolver import ChineseResolver
from coref.registry import make_resolver
from coref.types import Annotations
from generation.types import Task
from tests.books.shape.play_texts import HAMLET
from tests.coref.chinese.gold import read_gold
from tests.coref.conftest import make_book
from tests.coref.test_booknlp_import import TEXT, Run, imported, person
from tests.generation.indexed import IndexedStory
from tests.generation.novel import story
from tests.generation.story.test_quotations import letters
from tests.generation.writing.offline.test_offline import COUNTS, QUOTED, own_words

BOOKS: dict[str, Callable[[Path], tuple[Book, Annotations]]] = {}
NAMELESS = """# One

[The old man|man] came down to the shore at night. [He|man] had lost a boat in the storm.

[The girl|girl] who kept the geese saw [him|man] there. [She|girl] was barefoot and sang to herself.
"""
TALK = """# One

{ann>tom:“Where have you been all this while, [Tom Reed|tom]?”}

{tom>ann:“At the mill, [Ann Hale|ann]. Where else should a miller be on a Monday?”}

{ann>tom:“You told [me|ann] that [you|tom] had sold it.”}

{tom>ann:“[I|tom] told [you|ann] that [I|tom] wanted to.”}
"""


def book(make: Callable[[Path], tuple[Book, Annotations]]) -> Callable[[Path], tuple[Book, Annotations]]:
    BOOKS[make.__name__] = make
    return make


@book
def of_booknlp(folder: Path) -> tuple[Book, Annotations]:
    run = Run(TEXT)
    for phrase, kind in (("Mr. Hale", "PROP"), ("he", "PRON"), ("He", "PRON")):
        run.mention(1, phrase, kind)
    run.mention(2, "Anna Vane", "PROP")
    run.mention(2, "Anna", "PROP", nth=1)
    run.quote("“ Who is there ? ”", 1)
    run.people = [person(1, "he/him/his"), person(2, "she/her")]
    found = imported(run.write(folder / "booknlp"), make_book(TEXT)).annotations
    assert found.parse is None
    return make_book(TEXT), found


@book
def without_a_name(_: Path) -> tuple[Book, Annotations]:
    return story(NAMELESS, man="the old man/he", girl="the girl/she")


@book
def with_one_mention(_: Path) -> tuple[Book, Annotations]:
    return story("# One\n\nThe rain fell, and [Tom Reed|tom] shut the door.", tom="Tom Reed/he")


@book
def of_talk(_: Path) -> tuple[Book, Annotations]:
    return story(TALK, ann="Ann Hale/she", tom="Tom Reed/he")


@book
def a_play(_: Path) -> tuple[Book, Annotations]:
    play = read(HAMLET.encode(), name="Play")
    return play, make_resolver("rules").annotate(play)


@book
def in_chinese(_: Path) -> tuple[Book, Annotations]:
    chinese = read_gold("ferry").book
    return chinese, ChineseResolver().annotate(chinese)


@pytest.mark.parametrize("name", BOOKS)
def test_little_is_said_and_quoted_and_nothing_is_counted(name: str, tmp_path: Path) -> None:
    told = IndexedStory.make(*BOOKS[name](tmp_path), tmp_path / "index")
    text = letters(told.book.text)
    assert told.annotations.characters
    for character in told.annotations.characters:
        assert told.card(character.id).little
        for task in (Task.DESCRIPTION, Task.ANALYSIS):
            said = told.draft(task, character.id).sentences
            assert 1 <= len(said) <= 3
            for sentence in said:
                assert sentence.citations or sentence.text.startswith("Little can be said of "), sentence.text
                assert all(letters(quote) in text for quote in QUOTED.findall(sentence.text))
                assert not COUNTS.search(own_words(sentence)), sentence.text
