"""Relations that the book states often enough to be said in the writer's own words."""

from __future__ import annotations

from generation.story.statements import CERTAIN, certain_ties, ties_of
from generation.story.types import Statement, StatementKind
from tests.generation.story.telling import tell

PEOPLE = {
    "ann": "Ann Hale/she",
    "bess": "Bess Hale/she",
    "tom": "Tom Reed/he",
    "ruth": "Mrs. Hale/she",
}
SISTERS = 3 * "[Ann Hale|ann] is the eldest sister of [Bess Hale|bess]. "
COUSINS = "[Ann Hale|ann] is the cousin of [Tom Reed|tom]. "


def stated(marked: str, of: str) -> tuple[Statement, ...]:
    return certain_ties(*tell(f"# One\n\n{marked}", **PEOPLE), of)


def test_a_relation_with_its_places() -> None:
    (found,) = stated(SISTERS, "ann")
    assert (found.kind, found.subject, found.other) == (StatementKind.TIE, "ann", "bess")
    assert found.predicate.endswith("sister")
    assert found.certainty >= CERTAIN
    assert len(found.places) == 3


def test_the_nearest_comes_first() -> None:
    told = SISTERS + 2 * COUSINS + "[Bess Hale|bess] sang. " * 4
    found = stated(told, "ann")
    assert [statement.other for statement in found] == ["bess", "tom"][: len(found)]


def test_what_follows_from_other_relations_is_not_stated() -> None:
    told = 3 * (
        "[Ann Hale|ann] is the daughter of [Mrs. Hale|ruth]. "
        "[Bess Hale|bess] is the daughter of [Mrs. Hale|ruth]. "
    )
    book, annotations = tell(f"# One\n\n{told}", **PEOPLE)
    assert "ann" in {tie.other for tie in ties_of(book, annotations, "bess")}
    assert {s.other for s in certain_ties(book, annotations, "bess")} == {"ruth"}


def test_nothing_is_certain_of_strangers() -> None:
    assert stated("[Ann Hale|ann] saw [Tom Reed|tom]. [Tom Reed|tom] saw nobody.", "ann") == ()
