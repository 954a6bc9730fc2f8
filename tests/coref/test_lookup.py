"""A name leads to one character, or to an answer that explains why not."""

from __future__ import annotations

import pytest

from books.types import Book
from coref.decisions.log import replay
from coref.decisions.types import Decision, DecisionKind
from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.lookup import find
from coref.types import Annotations


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
    for odd in ("", "the", "Zuleika"):
        with pytest.raises(CharacterUnknown):
            find(annotations, odd)


def test_ambiguous_names_the_candidates(book: Book, annotations: Annotations) -> None:
    same_name = Decision(1, DecisionKind.RENAME, character="vane", name="Captain Tom")
    with pytest.raises(CharacterAmbiguous, match="2 characters") as answer:
        find(replay(annotations, book, [same_name]), "Colonel Tom")
    assert set(answer.value.candidates) == {"tom", "vane"}


def test_an_exact_name_is_not_ambiguous(book: Book, annotations: Annotations) -> None:
    same_name = Decision(1, DecisionKind.RENAME, character="vane", name="Captain Tom")
    assert find(replay(annotations, book, [same_name]), "Captain Tom").id == "vane"
