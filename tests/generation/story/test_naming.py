"""Surnames, and who is a wife, by the names that the book uses."""

from __future__ import annotations

import pytest

from coref.types import Alias, Character, CharacterKind
from generation.story.ties.family_names import family_name


def character(pronouns: str | None = None, **names: int) -> Character:
    aliases = tuple(Alias(name.replace("_", " "), count, 0) for name, count in names.items())
    return Character("x", aliases[0].text, aliases, CharacterKind.PERSON, pronouns, 9, 0)


@pytest.mark.parametrize(
    ("names", "surnames", "wife"),
    [
        ({"Elizabeth": 600, "Elizabeth_Bennet": 30}, {"bennet"}, False),
        ({"Mrs._Bennet": 150}, {"bennet"}, True),
        ({"Miss_Lucas": 20, "Charlotte": 70}, {"lucas"}, False),
        ({"Miss_Jane": 9}, set(), False),
        ({"Lady_Lucas": 18}, {"lucas"}, True),
        ({"Lady_Catherine": 99}, set(), False),
        ({"Aunt_Polly": 50}, set(), False),
        ({"Jo": 1300, "Doctor_Jo": 2}, set(), False),
        ({"Poor_Kitty": 3, "Kitty": 70}, set(), False),
        ({"Mr._Darcy": 260, "Darcy": 99}, {"darcy"}, False),
        ({"the_old_man": 4}, set(), False),
    ],
)
def test_what_names_tell(names: dict[str, int], surnames: set[str], wife: bool) -> None:
    found = family_name(character(**names))
    assert (found.surnames, found.wife) == (surnames, wife)


def test_a_he_is_nobodys_wife() -> None:
    assert not family_name(character("he/him", **{"Mr._Weston": 9, "Mrs._Weston": 1})).wife


def test_names_differ_only_where_both_are_sure() -> None:
    one, other = family_name(character(Jo=900, Jo_March=9)), family_name(character(Amy=900, Amy_Curtis=1))
    assert not one.differs(other)
    assert one.differs(family_name(character(**{"Mr._Brooke": 60})))
    assert one.shares(family_name(character(**{"Mrs._March": 60})))
