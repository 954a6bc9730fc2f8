"""Relations that the book states often enough to be said in the writer's own words."""

from __future__ import annotations

from generation.story.cast import cast_of
from generation.story.statements import CERTAIN, certain_ties
from generation.story.types import Tie
from tests.generation.story.telling import tell, told_ties

PEOPLE = {
    "ann": "Ann Hale/she",
    "bess": "Bess Hale/she",
    "tom": "Tom Reed/he",
    "ruth": "Mrs. Hale/she",
}
SISTERS = 3 * (
    "[Ann Hale|ann] lived with [her|ann] sister [Bess Hale|bess]. "
    "[Bess|bess] quarrelled with [her|bess] eldest sister [Ann Hale|ann]. "
)
WEDDING = "[Tom Reed|tom] married [Ann Hale|ann]. "
DAUGHTER = 3 * (
    "[Ann Hale|ann] is the daughter of [Mrs. Hale|ruth]. "
    "[Mrs. Hale|ruth] is the mother of [Ann Hale|ann]. [Her|ann] [mother|ruth] sang. "
)


def stated(marked: str, of: str) -> tuple[Tie, ...]:
    return certain_ties(cast_of(*tell(f"# One\n\n{marked}", **PEOPLE)), of)


def test_a_relation_with_its_places() -> None:
    (found,) = stated(SISTERS, "ann")
    assert (found.subject, found.other) == ("ann", "bess")
    assert found.predicate == "eldest sister"
    assert found.certainty >= CERTAIN
    assert len(found.places) == 3


def test_the_nearest_comes_first() -> None:
    for nearest, other in (("bess", "ruth"), ("ruth", "bess")):
        found = stated(DAUGHTER + SISTERS + 9 * f"[She|{nearest}] sang. ", "ann")
        assert [statement.other for statement in found] == [nearest, other]


def test_what_is_only_probable_is_not_stated() -> None:
    told = told_ties(f"# One\n\n{WEDDING}{SISTERS}", "ann", **PEOPLE)
    assert {tie.other for tie in told if tie.certainty < CERTAIN} == {"tom"}
    assert {tie.other for tie in stated(WEDDING + SISTERS, "ann")} == {"bess"}


def test_nothing_is_certain_of_strangers() -> None:
    assert stated("[Ann Hale|ann] saw [Tom Reed|tom]. [Tom Reed|tom] saw nobody.", "ann") == ()
