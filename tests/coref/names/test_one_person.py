"""Whether two characters are one person: features, the file of weights, and that it moves the right way."""

from __future__ import annotations

import pytest

from coref.language.tokens import Tokens, tokenize
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse, ProperName
from coref.names.one_person import shipped
from coref.names.person_candidates import MentionCandidate
from coref.names.person_pairs import FEATURES, PersonPairs
from coref.odds import LearntOdds, read, write
from coref.types import CharacterKind, MentionKind
from coref.weights_file import WeightsUnknown
from tests.coref.conftest import make_book

Links = list[list[tuple[int, float]]]


def person(number: int, text: str, *, title: str = "", given: str = "", surname: str = "") -> CastMember:
    made = CastMember(number)
    made.names[ProperName((title,) if title else (), tuple(text.split()))] = 1
    made.givens.update([given] if given else [])
    made.surnames.update([surname] if surname else [])
    return made


def named(tokens: Tokens, people: list[CastMember]) -> list[MentionCandidate]:
    """Return every use of the people's names, each one's as a whole."""
    found = []
    for who in people:
        for name in who.names:
            words = [word.lower() for word in name.core]
            for at in range(len(tokens)):
                if tokens.lower[at : at + len(words)] == words:
                    spot = MentionCandidate(
                        at,
                        at + len(words),
                        MentionKind.PROPER,
                        tokens.quote[at],
                        name.text,
                        who.number,
                        [who],
                    )
                    spot.use = NameUse(at, at + len(words), name)
                    found.append(spot)
    return sorted(found, key=lambda spot: spot.first)


def pairs_in(
    text: str,
    people: list[CastMember],
    links: Links | None = None,
    pronouns: dict[int, dict[str, float]] | None = None,
) -> PersonPairs:
    tokens = tokenize(make_book(text))
    spots = named(tokens, people)
    return PersonPairs(
        tokens, {p.number: p for p in people}, spots, links or [[] for _ in spots], pronouns or {}, []
    )


def features(pairs: PersonPairs, pair: tuple[int, int] = (0, 1)) -> dict[str, float]:
    return dict(zip(FEATURES, pairs.features(pair), strict=True))


ANN, LEE = (
    person(0, "Ann Lee", given="Ann", surname="Lee"),
    person(1, "Ann Moss", given="Ann", surname="Moss"),
)


def test_people_are_a_pair_by_a_word_a_nickname_a_link_or_by_standing_for_one_another() -> None:
    jack = person(1, "Jack", given="Jack")
    assert list(pairs_in("Ann Lee sat. Jack sat.", [ANN, jack])) == []
    assert list(pairs_in("Ann Lee sat. Ann Moss sat.", [ANN, LEE])) == [(0, 1)]
    john = person(0, "John Lee", given="John", surname="Lee")
    assert list(pairs_in("John Lee sat. Jack sat.", [john, jack])) == [(0, 1)]
    assert list(pairs_in("Ann Lee sat. Jack sat.", [ANN, jack], [[], [(0, 0.4)]])) == [(0, 1)]
    assert list(pairs_in("Ann Lee, or Jack, sat.", [ANN, jack])) == [(0, 1)]


def test_words_that_are_spelt_alike_make_a_pair_apart() -> None:
    others = [person(1, "Anne Moss"), person(2, "Ann Hart")]
    pairs = pairs_in("Ann Lee sat. Anne Moss sat. Ann Hart sat.", [ANN, *others])
    assert list(pairs.spelt_alike()) == [(0, 1), (1, 2)]
    assert list(pairs) == [(0, 2)]
    assert not list(pairs_in("Ann Lee sat. Ben sat.", [ANN, person(1, "Ben")]).spelt_alike())


def test_groups_are_nobodys_pair() -> None:
    lees = person(1, "Lee", surname="Lee")
    lees.kind = CharacterKind.GROUP
    assert list(pairs_in("Ann Lee sat. Lee sat.", [ANN, lees])) == []


def test_names_are_compared() -> None:
    seen = features(pairs_in("Ann Lee sat. Ann Moss sat.", [ANN, LEE]))
    assert seen["word in common"]
    assert seen["given name in common"]
    assert seen["two surnames"]
    assert not seen["surname in common"]
    assert not seen["two given names"]
    assert not seen["one name has the other"]
    apart = features(
        pairs_in("Ann sat. Lee sat.", [person(0, "Ann", given="Ann"), person(1, "Lee", surname="Lee")])
    )
    assert apart["given name and surname"]
    assert not apart["word in common"]


def test_titles_and_genders_are_compared() -> None:
    wife, maid = person(0, "Lee", title="Mrs", surname="Lee"), person(1, "Lee", title="Miss", surname="Lee")
    wife.gender, maid.gender = "she", "she"
    seen = features(pairs_in("Lee sat.", [wife, maid]))
    assert seen["wed and unwed"]
    assert seen["two titles"]
    assert seen["one gender"]
    assert not seen["two genders"]
    maid.gender = "he"
    assert features(pairs_in("Lee sat.", [wife, maid]))["two genders"]
    captain = person(1, "Lee", title="Captain", surname="Lee")
    assert features(pairs_in("Lee sat.", [wife, captain]))["office and woman"]
    wife.gender = "he"
    assert not features(pairs_in("Lee sat.", [wife, captain]))["office and woman"]


def test_pronouns_that_differ_speak_for_two() -> None:
    text, she, he = "Ann Lee sat.\n\nAnn Moss ate.", {"she": 8.0}, {"he": 8.0, "i": 4.0}
    differ = pairs_in(text, [ANN, LEE], pronouns={0: she, 1: he})
    assert features(differ)["pronouns differ"] == pytest.approx(0.64)
    assert features(pairs_in(text, [ANN, LEE], pronouns={0: she, 1: she}))["pronouns differ"] == 0
    assert features(pairs_in(text, [ANN, LEE], pronouns={0: she}))["pronouns differ"] == 0
    weights = dict(zip(FEATURES, shipped().weights, strict=True))
    assert weights["pronouns differ"] < 0


def test_a_word_in_the_names_of_a_crowd_makes_no_pair() -> None:
    crowd = [person(n, f"Ann A{n}", given="Ann", surname=f"A{n}") for n in range(101)]
    assert list(pairs_in("Nobody.", crowd)) == []
    assert len(list(pairs_in("Nobody.", crowd[:100]))) == 4_950


def test_what_stands_between_two_names_and_who_is_near_whom_is_counted() -> None:
    seen = features(pairs_in("Ann Lee and Ann Moss sat.\n\nAnn Lee, or Ann Moss, ate.", [ANN, LEE]))
    assert seen["joining"] == seen["renaming"] == 1.0
    assert seen["in one sentence"] == seen["in one paragraph"] == 0.5
    alone = features(pairs_in("Ann Lee sat.\n\nAnn Moss ate.", [ANN, LEE]))
    assert alone["joining"] == alone["together"] == alone["in one paragraph"] == 0


def test_links_count_both_ways() -> None:
    seen = features(pairs_in("Ann Moss sat. Ann Lee sat. Ann Lee ate.", [ANN, LEE], [[], [(0, 0.5)], []]))
    assert (seen["linked"], seen["linked back"]) == (0.0, 0.25), "from the rarer one, and to it"
    assert seen["linked best"]
    assert seen["taken for the other"] > 0


def probability(text: str, people: list[CastMember], links: Links | None = None) -> float:
    return float(shipped().probabilities([pairs_in(text, people, links).features((0, 1))])[0])


def test_likeness_and_links_speak_for_one_and_being_named_together_for_two() -> None:
    apart, together = (
        "Ann Lee sat.\n\nAnn Moss ate.",
        "Ann Lee and Ann Moss sat.\n\nAnn Lee and Ann Moss ate.",
    )
    alike = probability(apart, [ANN, LEE])
    assert probability(apart, [ANN, LEE], [[], [(0, 0.9)]]) > alike
    assert probability(together, [ANN, LEE]) < alike
    john = person(1, "John Dee", given="John", surname="Dee")
    assert probability("Ann Lee sat.\n\nJohn Dee ate.", [ANN, john]) < alike


def test_weights_survive_the_file_and_another_format_is_refused() -> None:
    model = LearntOdds(FEATURES, -1.5, [n / 8 for n in range(len(FEATURES))])
    assert read(write(model, {}), FEATURES, of="test") == model
    assert len(shipped().probabilities([])) == 0
    with pytest.raises(WeightsUnknown):
        read('{"format": 0, "weights": {}}', FEATURES, of="test")
