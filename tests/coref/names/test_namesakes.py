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
        ProperName((), ("Margaret",)): 40,
    }
    clusters = NameClusters(counts, dict.fromkeys(counts, (0,)), Cooccurrence({}, {}), {})
    margaret = clusters.of_name[ProperName((), ("Margaret",))]
    assert [set(person.surnames) for person in margaret] == [{"Hale"}, {"Aston"}]
