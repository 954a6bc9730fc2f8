"""The gender of people by their titles, and by the pronouns that mean them."""

from __future__ import annotations

from collections import Counter

import pytest

from coref.language.tokens import tokenize
from coref.names.gender import find_genders, lean
from coref.names.name_clusters import CastMember
from coref.names.name_uses import ProperName
from coref.native.resolver import NativeResolver
from tests.coref.conftest import make_book

WAITING = """Carol Hale waited for Tarvik Dane. She was cold. At last he came, and he kissed her.

She danced with Tarvik Dane. She was happy, and he was glad that he had come.

Carol wrote to Tarvik Dane. She was lonely. He answered at once, for he loved her.

She went home with Tarvik Dane. She was tired, so he carried her bag. He was strong.

Carol sat beside Tarvik Dane. She was silent. He told her about his father, and he sighed.

Tarvik laughed, and he lit his pipe. Tarvik rose, and Mr. Dane went out.
"""
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


def test_the_pronoun_behind_a_name_counts_only_if_the_network_agrees() -> None:
    """`Carol waited for Tarvik Dane. She was cold.` makes Tarvik no woman, so that he may be Mr. Dane."""
    found = NativeResolver().annotate(make_book(WAITING))
    names = {alias.text: character.pronouns for character in found.characters for alias in character.aliases}
    assert names == {
        "Carol Hale": "she/her",
        "Carol": "she/her",
        "Tarvik Dane": "he/him",
        "Tarvik": "he/him",
        "Mr. Dane": "he/him",
    }


def test_a_name_leans_if_its_pronouns_mostly_agree() -> None:
    ann, bo, cy = (ProperName((), (word,)) for word in ("Ann", "Bo", "Cy"))
    votes = {ann: {"she": 6.0, "he": 3.0, "it": 9.0}, bo: {"he": 4.5, "she": 4.0}, cy: {"he": 3.0}}
    assert lean(votes) == {ann: "she"}
