"""Nouns that are one person's through a book, by what the network links."""

from __future__ import annotations

import pytest

from coref.names.name_clusters import CastMember
from coref.names.person_candidates import HE, THEY
from coref.native.antecedents import Link
from coref.native.mention_candidates import NetworkMention
from coref.native.steady_roles import steady_roles
from coref.types import EntityCategory, MentionKind

Reading = list[tuple[NetworkMention, list[Link]]]


def noun(head: str, *links: Link, definite: bool = True) -> tuple[NetworkMention, list[Link]]:
    return NetworkMention(0, 2, MentionKind.NOMINAL, -1, head, definite=definite), list(links)


def pronoun(head: str, *links: Link) -> tuple[NetworkMention, list[Link]]:
    return NetworkMention(0, 1, MentionKind.PRONOUN, -1, head), list(links)


def name(*links: Link) -> tuple[NetworkMention, list[Link]]:
    return NetworkMention(0, 1, MentionKind.PROPER, -1, "ann", options=[CastMember(0)]), list(links)


def steady(read: Reading) -> set[str]:
    return steady_roles([spot for spot, _ in read], [links for _, links in read])


def told(head: str = "pilot", *, pronouns: str = HE, times: int = 5) -> Reading:
    """Return `the pilot … he … the pilot … he`, each linked to the one before it."""
    read: Reading = [noun(head), pronoun(pronouns, (0, 1.0))]
    for at in range(2, 2 * times, 2):
        read += [noun(head, (at - 1, 0.9)), pronoun(pronouns, (at, 1.0))]
    return read


def test_a_noun_that_leads_back_to_itself_is_somebody() -> None:
    assert steady(told()) == {"pilot"}


def test_seldom_used_it_is_nobody_yet() -> None:
    assert steady(told(times=4)) == set()


def test_whoever_is_only_talked_of_is_nobody_yet() -> None:
    read = told()
    for spot, _ in read[2:]:
        spot.quote = 0
    assert steady(read) == set()


def test_several_are_nobody_by_their_pronouns() -> None:
    assert steady(told("crowd", pronouns=THEY)) == set()


def test_a_new_one_each_time_is_nobody() -> None:
    read: Reading = []
    for at in range(0, 12, 2):
        read += [noun("waiter"), pronoun(HE, (at, 1.0))]
    assert steady(read) == set()


def test_a_noun_for_people_with_names_is_nobody_else() -> None:
    read = [name(), *told("lad", times=6)]
    linked = [(spot, [*((at + 1, share * 0.6) for at, share in links), (0, 0.4)]) for spot, links in read[1:]]
    assert steady([read[0], *linked]) == set()


@pytest.mark.parametrize("change", ["place", "several", "indefinite"])
def test_only_a_single_definite_person_counts(change: str) -> None:
    read = told()
    for spot, _ in read:
        if change == "place":
            spot.category = EntityCategory.LOCATION
        spot.several = change == "several"
        spot.definite = change != "indefinite"
    assert steady(read) == set()
