"""A name leads to one character, or to an answer that explains why not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Book
from coref.decisions.log import replay
from coref.decisions.types import Decision, DecisionKind
from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.lookup import displayed_with, find
from coref.types import Alias, Annotations


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("tom", "tom"),
        ("vane", "vane"),  # an id
        ("Mrs. Hale", "hale"),
        ("MRS. HALE", "hale"),
        ("Mrs Hale", "hale"),
        ("Tom  Hale", "tom"),
        ("Mr. Edward Vane", "vane"),
        ("The lamplighter", "vane"),
        ("lamplighter", "vane"),
        ("Edward", "vane"),
    ],
)
def test_found(annotations: Annotations, name: str, who: str) -> None:
    assert find(annotations, name).id == who


def test_unknown_suggests_near_names(annotations: Annotations) -> None:
    with pytest.raises(CharacterUnknown, match="Edward Vane"):
        find(annotations, "Edwrd Vane")
    with pytest.raises(CharacterUnknown, match="is called “Nobody”"):
        find(annotations, "No\x1bbody\n")
    for odd in ("", "the", "Zuleika"):
        with pytest.raises(CharacterUnknown):
            find(annotations, odd)


def test_who_is_displayed_with_another_title_does_not_have_that_name(annotations: Annotations) -> None:
    def bearers(name: str) -> list[str]:
        return [character.name for character in displayed_with(annotations, name)]

    assert bearers("Hale") == bearers("Mrs. Hale") == ["Mrs. Hale"]
    assert bearers("Captain Hale") == []
    assert bearers("Captain Tom") == ["Tom"]


@pytest.mark.parametrize("name", ["Mrs. Vane", "the Lady Edward Vane", "Miss Tom"])
def test_a_title_of_the_other_sex_is_somebody_else(annotations: Annotations, name: str) -> None:
    men = tuple(replace(c, pronouns="he/him") for c in annotations.characters if c.id in ("tom", "vane"))
    with pytest.raises(CharacterUnknown):
        find(replace(annotations, characters=men), name)


@pytest.mark.parametrize(("called", "asked"), [("賈雨村", "贾雨村"), ("贾雨村", "賈雨村")])
def test_a_name_may_be_in_the_other_chinese_script(
    book: Book, annotations: Annotations, called: str, asked: str
) -> None:
    named = Decision(1, DecisionKind.RENAME, character="tom", name=called)
    assert find(replay(annotations, book, [named]), asked).id == "tom"


def test_an_accent_may_be_a_code_point_of_its_own(book: Book, annotations: Annotations) -> None:
    named = Decision(1, DecisionKind.RENAME, character="tom", name="\u00c9mile")
    assert find(replay(annotations, book, [named]), "E\u0301mile").id == "tom"


@pytest.mark.parametrize(
    ("called", "asked"),
    [
        ("Éléonore", "ELEONORE"),
        ("Jean-Luc Œttinger", "jean luc"),
        ("Jean Luc", "Jean-Luc"),
        ("D’Arcy", "Mr. d arcy"),
        ("D'Artagnan", "dartagnan"),
        ("Jean-Luc", "JeanLuc"),
        ("O’Neil", "o-neil"),
        ("O’Neil", "O Neil"),
        ("O’Neil", "oneil"),
    ],
)
def test_accents_hyphens_and_apostrophes_need_not_be_typed(
    book: Book, annotations: Annotations, called: str, asked: str
) -> None:
    named = Decision(1, DecisionKind.RENAME, character="tom", name=called)
    after = replay(annotations, book, [named])
    assert find(after, asked).id == "tom"
    exact = replay(annotations, book, [named, replace(named, number=2, character="vane", name=asked)])
    assert find(exact, asked).id == "vane"
    accented = Decision(2, DecisionKind.RENAME, character="vane", name=called.swapcase() + "!")
    with pytest.raises(CharacterAmbiguous):
        find(replay(annotations, book, [named, accented]), asked)


@pytest.mark.parametrize("asked", ["oneil", "o neil", "jeanluc", "luc", "Jeanluc O'Neil", "jean luc oneil"])
def test_some_words_of_a_name_may_be_spelt_together(book: Book, annotations: Annotations, asked: str) -> None:
    named = Decision(1, DecisionKind.RENAME, character="tom", name="Jean-Luc O’Neil")
    other = Decision(2, DecisionKind.RENAME, character="vane", name="Jean Lucy Neil")
    assert find(replay(annotations, book, [named, other]), asked).id == "tom"


def test_spaces_part_names(book: Book, annotations: Annotations) -> None:
    named = Decision(1, DecisionKind.RENAME, character="tom", name="Anna Dams")
    with pytest.raises(CharacterUnknown):
        find(replay(annotations, book, [named]), "Ann Adams")


def test_ambiguous_names_the_candidates(book: Book, annotations: Annotations) -> None:
    same_name = Decision(1, DecisionKind.RENAME, character="vane", name="Captain Tom")
    with pytest.raises(CharacterAmbiguous, match="2 characters") as answer:
        find(replay(annotations, book, [same_name]), "Colonel Tom")
    assert set(answer.value.candidates) == {"tom", "vane"}


def test_an_exact_name_is_not_ambiguous(book: Book, annotations: Annotations) -> None:
    same_name = Decision(1, DecisionKind.RENAME, character="vane", name="Captain Tom")
    assert find(replay(annotations, book, [same_name]), "Captain Tom").id == "vane"


def test_a_name_means_whom_nearly_every_mention_is_of(annotations: Annotations) -> None:
    tom, vane = (c for i in ("tom", "vane") for c in annotations.characters if c.id == i)
    alias = Alias("Will", 1, 0)

    def named(*counts: int) -> Annotations:
        people = zip((tom, vane), counts, strict=True)
        return replace(
            annotations,
            characters=tuple(replace(c, name="Will", aliases=(alias,), mention_count=n) for c, n in people),
        )

    assert find(named(3, 97), "will").id == "vane"
    for counts in ((10, 90), (0, 0)):
        with pytest.raises(CharacterAmbiguous):
            find(named(*counts), "will")
