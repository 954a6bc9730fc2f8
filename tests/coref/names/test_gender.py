"""The gender of people by their titles."""

from __future__ import annotations

from collections import Counter

import pytest

from coref.language.tokens import tokenize
from coref.names.gender import find_genders
from coref.names.name_clusters import CastMember
from coref.names.name_uses import ProperName
from tests.coref.conftest import make_book

MONSIEUR, MADAME_VANE = ProperName(("Monsieur",), ("le", "Comte")), ProperName(("Madame",), ("Vane",))


@pytest.mark.parametrize(
    ("names", "gender"),
    [
        ({MONSIEUR: 2, ProperName((), ("Madame",)): 58}, "she"),
        ({MONSIEUR: 2, ProperName((), ("Grandmother",)): 118}, "she"),
        ({MADAME_VANE: 1, MONSIEUR: 2}, "he"),
        ({ProperName((), ("Vane",)): 9, MADAME_VANE: 1}, "she"),
        ({ProperName((), ("Vane",)): 9}, None),
        ({ProperName(("Captain",), ("Vane",)): 9}, None),
    ],
)
def test_the_title_that_is_used_most_decides(names: dict[ProperName, int], gender: str | None) -> None:
    person = CastMember(0, names=Counter(names))
    find_genders([person], {}, tokenize(make_book("Nobody came.")), [])
    assert person.gender == gender
