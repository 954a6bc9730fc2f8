"""The evidence for merging names, and doubts about who may be one person."""

from __future__ import annotations

from coref.language.tokens import tokenize
from coref.names.cast_building import Cast
from coref.names.merge_evidence import doubts_of, merges_of
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_candidates import MentionCandidate
from coref.names.person_pairs import PersonPairs
from coref.types import MentionKind
from tests.coref.conftest import make_book

WHOLE, SHORT, TITLED = (
    ProperName((), ("Polina", "Orlov")),
    ProperName((), ("Polina",)),
    ProperName(("Mlle",), ("Polina",)),
)


def spot(at: int, end: int, name: ProperName, options: list[CastMember]) -> MentionCandidate:
    made = MentionCandidate(
        at, end, MentionKind.PROPER, -1, name.text, who=options[0].number, options=options
    )
    made.use = NameUse(at, end, name)
    return made


def test_each_name_has_its_reason_and_an_unsure_one_less_confidence() -> None:
    tokens = tokenize(make_book("Polina Orlov met Polina. Polina sat."))
    one, other = CastMember(0), CastMember(1)
    one.names.update({WHOLE: 1, SHORT: 2})
    cast, ids = Cast([one, other]), {0: "polina"}
    sure = [spot(0, 2, WHOLE, [one]), spot(3, 4, SHORT, [one]), spot(5, 6, SHORT, [one])]
    (merge,) = merges_of(tokens, cast, sure, ids)
    assert (merge.character, merge.name, merge.other, merge.at) == ("polina", "Polina", "Polina Orlov", 17)
    assert "Polina Orlov" in merge.evidence
    unsure = [sure[0], spot(3, 4, SHORT, [one, other])]
    assert merges_of(tokens, cast, unsure, ids)[0].confidence < merge.confidence


def people() -> tuple[CastMember, CastMember]:
    one, other = CastMember(0, gender="she"), CastMember(1, gender="she")
    one.names[SHORT], other.names[TITLED] = 1, 1
    for each in (one, other):
        each.givens["Polina"] = 1
    return one, other


def test_two_who_share_a_name_may_be_one() -> None:
    tokens = tokenize(make_book("Polina sat.\n\nMlle. Polina sat."))
    ids = {0: "one", 1: "other"}
    one, other = people()
    spots = [spot(0, 1, SHORT, [one]), spot(3, 6, TITLED, [other])]
    (doubt,) = doubts_of(tokens, Cast([one, other]), spots, [[], []], [], ids)
    assert {doubt.one, doubt.other} == {"one", "other"}
    assert doubt.evidence == "they share a name"
    (linked,) = doubts_of(tokens, Cast([one, other]), spots, [[], [(0, 0.9)]], [], ids)
    assert linked.confidence > doubt.confidence
    assert "taken for one another once" in linked.evidence
    assert linked.at == doubt.at == tokens.text.index("Polina", 8) + len("Polina")


def test_two_whose_names_are_spelt_alike_may_be_one() -> None:
    tokens = tokenize(make_book("George Tryon sat.\n\nTyron sat."))
    one, other = CastMember(0, gender="he"), CastMember(1, gender="he")
    right, wrong = ProperName((), ("George", "Tryon")), ProperName((), ("Tyron",))
    one.names[right], other.names[wrong] = 1, 1
    one.givens["George"] = one.surnames["Tryon"] = 1
    spots = [spot(0, 2, right, [one]), spot(4, 5, wrong, [other])]
    (doubt,) = doubts_of(tokens, Cast([one, other]), spots, [[], []], [], {0: "one", 1: "other"})
    assert (doubt.evidence, doubt.at) == ("their names are spelt alike", 0)


def test_a_doubt_arises_where_one_first_stands_for_the_other() -> None:
    tokens = tokenize(make_book("Polina sat.\n\nTatar sat.\n\nPolina, the Tatar, sat.\n\nTatar sat."))
    one, other = CastMember(0), CastMember(1)
    tatar = ProperName((), ("Tatar",))
    one.names[SHORT], other.names[tatar] = 2, 3
    spots = [spot(at, at + 1, SHORT, [one]) for at in (0, 6)]
    spots += [spot(at, at + 1, tatar, [other]) for at in (3, 9, 12)]
    spots.sort(key=lambda s: s.first)
    renamed = PersonPairs(tokens, {0: one, 1: other}, spots, [[]] * 5, {}, [])
    assert renamed.arises((0, 1)) == 10
    linked = PersonPairs(tokens, {0: one, 1: other}, spots, [[], [(0, 0.9)], [], [], []], {}, [])
    assert linked.arises((0, 1)) == 4


def test_people_who_are_hardly_one_are_not_asked_about() -> None:
    tokens = tokenize(make_book("Polina Orlov and Mlle. Polina sat."))
    man, woman = CastMember(0, gender="he"), people()[1]
    man.names[WHOLE], man.surnames["Orlov"] = 1, 1
    spots = [spot(0, 2, WHOLE, [man]), spot(3, 6, TITLED, [woman])]
    assert not doubts_of(tokens, Cast([man, woman]), spots, [[], []], [], {0: "man", 1: "woman"})
