"""Names that several people may bear."""

from __future__ import annotations

from coref.names.cooccurrence import Cooccurrence
from coref.names.name_clusters import NameClusters
from coref.names.name_uses import ProperName


def test_a_given_name_is_rather_somebodys_with_a_surname_that_is_borne_often() -> None:
    """`On Margaret Aston was to leave an impression`, where Aston is a place, makes no Margaret Aston."""
    counts = {
        ProperName((), ("Margaret", "Aston")): 1,
        ProperName((), ("Margaret", "Hale")): 1,
        ProperName(("Mr",), ("Hale",)): 9,
        ProperName((), ("Margaret",)): 15,
    }
    clusters = NameClusters(counts, dict.fromkeys(counts, (0,)), Cooccurrence({}, {}), {})
    margaret = clusters.of_name[ProperName((), ("Margaret",))]
    assert [set(person.surnames) for person in margaret] == [{"Hale"}, {"Aston"}]


def test_who_is_named_in_passing_does_not_take_the_given_name_of_another() -> None:
    """`Jim` is on every page, and `Jim Hornback` twice: the others are not his."""
    jim = ProperName((), ("Jim",))

    def bearers(uses: int) -> list[set[str]]:
        counts = {ProperName((), ("Jim", "Turner")): 3, ProperName((), ("Jim", "Hornback")): 2, jim: uses}
        clusters = NameClusters(counts, dict.fromkeys(counts, (0,)), Cooccurrence({}, {}), {})
        return [set(person.surnames) for person in clusters.of_name[jim]]

    assert bearers(39) == [{"Turner"}, {"Hornback"}]
    assert bearers(40) == [{"Turner"}]
