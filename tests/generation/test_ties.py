from __future__ import annotations

import pytest

from generation.cast import cast_of
from generation.offline.ties import ties
from generation.offline.view import View
from tests.generation.story import story

PEOPLE = {"jane": "Jane Pratt/she", "tom": "Tom Pratt/he", "ann": "Ann Lee/she"}


def told(marked: str, who: str) -> list[tuple[str, str]]:
    book, annotations = story(f"# One\n\n{marked}\n", **PEOPLE)
    character = annotations.character(who)
    assert character is not None
    return [(t.term, t.other) for t in ties(View(cast_of(book, annotations), character))]


@pytest.mark.parametrize(
    ("marked", "who", "found"),
    [
        ("[Jane|jane]’s brother [Tom|tom] left.", "tom", [("brother", "jane")]),
        ("[Jane|jane]’s brother [Tom|tom] left.", "jane", [("sister", "tom")]),
        ("[Jane|jane] met [her|jane] brother [Tom|tom].", "tom", [("brother", "jane")]),
        ("[Tom|tom], [Jane|jane]’s father, left.", "jane", [("daughter", "tom")]),
        ("[Ann|ann], the aunt of [Tom|tom], left.", "tom", [("nephew", "ann")]),
        ("[Ann|ann] was [Tom|tom]’s eldest cousin.", "tom", [("cousin", "ann")]),
        ("{jane>ann:“[Tom|tom] is my brother,”} said [Jane|jane].", "tom", [("brother", "jane")]),
        ("[Ann|ann] was the housekeeper of [Tom|tom].", "ann", []),
        ("[Jane|jane]’s brother [Ann|ann] left.", "ann", []),
        ("[Jane|jane]’s late husband knew [Tom|tom].", "tom", []),
    ],
)
def test_ties_are_read_with_their_direction_and_their_sex(
    marked: str, who: str, found: list[tuple[str, str]]
) -> None:
    assert told(marked, who) == found


def test_a_father_named_by_most_sentences_is_the_father() -> None:
    marked = (
        "[Jane|jane]’s father [Tom|tom] left. [Jane|jane]’s father [Tom|tom] came back. "
        "[Jane|jane]’s uncle [Tom|tom] slept."
    )
    assert told(marked, "tom") == [("father", "jane")]
