"""The relations that are stated of a cast, beside those that readers know."""

from __future__ import annotations

from evaluation.coref.cast_ties import TieScore, score_ties
from evaluation.corpus.casts import CastTie, NovelCast
from tests.generation.story.telling import tell

PEOPLE = {"a": "Ann Hale/she", "b": "Bess Hale/she", "t": "Tom Reed/he", "r": "Ruth Hale/she"}
KNOWN = {"ann": "Ann Hale", "bess": "Bess Hale", "tom": "Tom Reed", "ruth": "Ruth Hale", "hugh": "Mr. Hale"}
SISTERS = 3 * (
    "[Ann Hale|a] lived with [her|a] sister [Bess Hale|b]. [Bess|b] loved [her|b] sister [Ann Hale|a]. "
)
DAUGHTER = 3 * (
    "[Ann Hale|a] is the daughter of [Ruth Hale|r]. [Ruth Hale|r] is the mother of [Ann Hale|a]. "
    "[Her|a] [mother|r] sang. "
)


def scored(told: str, *ties: CastTie) -> dict[str, TieScore]:
    book, annotations = tell(f"# One\n\n{told}", **PEOPLE)
    cast = NovelCast("a_book", KNOWN, (), {name: (key,) for key, name in KNOWN.items()}, ties=ties)
    return {name: score for name, score in score_ties(cast, book, annotations).items() if score != TieScore()}


def test_a_tie_that_is_stated_from_either_side_is_found_once() -> None:
    for tie in (CastTie("ann", "sibling", "bess"), CastTie("bess", "sibling", "ann")):
        assert scored(SISTERS, tie) == {"sibling": TieScore(1, 1, 0, 1)}
    assert scored(DAUGHTER, CastTie("ruth", "parent", "ann")) == {"parent": TieScore(1, 1, 0, 1)}


def test_the_other_way_round_is_wrong() -> None:
    assert scored(DAUGHTER, CastTie("ann", "parent", "ruth")) == {"parent": TieScore(1, 0, 0, 1)}


def test_what_readers_do_not_know_is_stated_and_not_found() -> None:
    assert scored(SISTERS, CastTie("ann", "cousin", "tom"))["sibling"] == TieScore(0, 0, 0, 1)


def test_a_tie_of_somebody_whom_the_book_does_not_list_is_counted_apart() -> None:
    assert scored(DAUGHTER, CastTie("hugh", "parent", "ann"))["parent"] == TieScore(0, 0, 1, 1)
