"""The assignment of mentions, from shares given here."""

from __future__ import annotations

from coref.names.mention_assignment import KnownMeaning, MentionAssigner, MentionAssignments
from coref.names.name_clusters import CastMember
from coref.names.person_candidates import HE, ME, SHE, THEY, MentionCandidate
from coref.types import CharacterKind, EntityCategory, MentionKind

NAME, NOUN, PRONOUN = MentionKind.PROPER, MentionKind.NOMINAL, MentionKind.PRONOUN
Earlier = list[tuple[int, float]]


def spot(kind: MentionKind, head: str = "", gender: str | None = None) -> MentionCandidate:
    made = MentionCandidate(0, 1, kind, -1, head, gender=gender)
    made.options = [CastMember(0)] if kind is NAME else []
    return made


def he() -> MentionCandidate:
    return spot(PRONOUN, HE, HE)


def settle(
    spots: list[MentionCandidate],
    earlier: list[Earlier],
    pins: dict[int, KnownMeaning],
    *,
    people: list[CastMember],
    banned: dict[int, set[int]] | None = None,
) -> MentionAssignments:
    new = [1 - sum(share for _, share in each) for each in earlier]
    settling = MentionAssigner(people, earlier, new)
    return settling.run(spots, [EntityCategory.PERSON] * len(spots), pins, banned=banned)


def meant(settled: MentionAssignments) -> list[int | None]:
    return [group.person for group in settled.groups]


def test_names_are_their_people_however_likely_a_link_is() -> None:
    tom, ned = CastMember(0, gender="he"), CastMember(1, gender="he")
    pins = {0: KnownMeaning(0), 1: KnownMeaning(1)}
    settled = settle([spot(NAME), spot(NAME)], [[], [(0, 0.99)]], pins, people=[tom, ned])
    assert meant(settled) == [0, 1]


def test_what_several_mentions_of_one_person_are_given_counts_together() -> None:
    people = [CastMember(0, gender="he"), CastMember(1, gender="he")]
    pins = {0: KnownMeaning(0), 1: KnownMeaning(1), 2: KnownMeaning(0)}
    shares: list[Earlier] = [[], [], [], [(0, 0.3), (1, 0.4), (2, 0.25)]]
    settled = settle([spot(NAME)] * 3 + [he()], shares, pins, people=people)
    assert meant(settled)[3] == 0
    assert settled.confidence[3] == 0.55


def test_a_pronoun_of_another_gender_goes_elsewhere() -> None:
    people = [CastMember(0, gender="she"), CastMember(1, gender="he")]
    settled = settle(
        [spot(NAME), spot(NAME), he()],
        [[], [], [(0, 0.8), (1, 0.15)]],
        {0: KnownMeaning(0), 1: KnownMeaning(1)},
        people=people,
    )
    assert meant(settled)[2] == 1


def test_one_person_is_no_they() -> None:
    they = spot(PRONOUN, THEY)
    settled = settle([spot(NAME), they], [[], [(0, 0.9)]], {0: KnownMeaning(0)}, people=[CastMember(0)])
    assert meant(settled) == [0, None]
    group = CastMember(0, kind=CharacterKind.GROUP)
    settled = settle([spot(NAME), they], [[], [(0, 0.9)]], {0: KnownMeaning(0)}, people=[group])
    assert meant(settled) == [0, 0]


def test_i_introduces_nobody() -> None:
    spots = [spot(NOUN, "man"), spot(PRONOUN, ME)]
    settled = settle(spots, [[], [(0, 0.9)]], {1: KnownMeaning(0)}, people=[CastMember(0)])
    assert meant(settled) == [None, 0]


def test_somebody_is_introduced_before_being_named() -> None:
    tom = CastMember(0, gender="he")
    spots = [spot(NOUN, "man"), he(), spot(NAME), he()]
    shares: list[Earlier] = [[], [(0, 0.9)], [(0, 0.5), (1, 0.4)], [(2, 0.9)]]
    settled = settle(spots, shares, {2: KnownMeaning(0)}, people=[tom])
    assert meant(settled) == [0, 0, 0, 0]


def test_nobody_is_introduced_on_slight_evidence_nor_against_their_gender() -> None:
    shares: list[Earlier] = [[], [(0, 0.5)]]
    settled = settle([spot(NOUN, "man"), spot(NAME)], shares, {1: KnownMeaning(0)}, people=[CastMember(0)])
    assert meant(settled) == [None, 0]
    spots = [he(), he(), he(), spot(NAME)]
    likely: list[Earlier] = [[], [(0, 0.9)], [(0, 0.9)], [(2, 0.95)]]
    settled = settle(spots, likely, {3: KnownMeaning(0)}, people=[CastMember(0, gender=SHE)])
    assert meant(settled) == [None, None, None, 0]


def test_what_is_known_a_little_is_weighed_and_not_obeyed() -> None:
    people = [CastMember(0, gender="he"), CastMember(1, gender="he")]
    spots, pins = [spot(NAME), spot(NAME), he()], {0: KnownMeaning(0), 1: KnownMeaning(1)}
    shares: list[Earlier] = [[], [], [(0, 0.6), (1, 0.3)]]
    assert meant(settle(spots, shares, pins | {2: KnownMeaning(1, 0.2)}, people=people))[2] == 0
    assert meant(settle(spots, shares, pins | {2: KnownMeaning(1, 0.4)}, people=people))[2] == 1


def test_whoever_is_banned_is_not_meant() -> None:
    people = [CastMember(0, gender="he"), CastMember(1, gender="he")]
    spots, pins = [spot(NAME), spot(NAME), he()], {0: KnownMeaning(0), 1: KnownMeaning(1)}
    shares: list[Earlier] = [[], [], [(0, 0.8), (1, 0.15)]]
    settled = settle(spots, shares, pins, people=people, banned={2: {0}})
    assert meant(settled)[2] == 1


def test_a_name_that_is_none_of_somebodys_does_not_become_theirs() -> None:
    strange = MentionCandidate(0, 1, NAME, -1, "Merci")
    settled = settle([spot(NAME), strange], [[], [(0, 0.9)]], {0: KnownMeaning(0)}, people=[CastMember(0)])
    assert meant(settled) == [0, None]
