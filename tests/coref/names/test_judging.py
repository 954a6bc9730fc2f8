"""Which names are people's, by the readings of most of their uses."""

from __future__ import annotations

from coref.names.name_kinds import NameJudgement, NameUseReading, judge
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_cues import NameEvidence
from coref.types import EntityCategory, MentionKind

PERSON = NameUseReading(EntityCategory.PERSON, MentionKind.PROPER)
NOUN = NameUseReading(EntityCategory.PERSON, MentionKind.NOMINAL)
PLACE = NameUseReading(EntityCategory.GEOPOLITICAL, MentionKind.PROPER)
GUESS = NameUseReading(EntityCategory.PERSON, MentionKind.PROPER, added=True)


def judged(
    name: ProperName, readings: list[NameUseReading | None], evidence: NameEvidence | None = None
) -> NameJudgement:
    evidence = evidence or NameEvidence()
    evidence.count = len(readings)
    uses = [(NameUse(at, at + 1, name), reading) for at, reading in enumerate(readings)]
    return judge(uses, {name: evidence})


def named(word: str) -> ProperName:
    return ProperName((), (word,))


def test_what_is_read_as_a_person_is_one_and_a_place_is_not() -> None:
    assert judged(named("Zorbin"), [PERSON, PERSON, None]).names == {named("Zorbin")}
    assert not judged(named("Zorbin"), [PLACE, PLACE, PERSON]).names


def test_a_place_of_a_persons_name_is_told_apart_where_it_stands() -> None:
    found = judged(named("Norland"), [PERSON, PERSON, PLACE])
    assert found.names
    assert found.elsewhere == {2}


def test_a_noun_with_a_capital_is_no_name_by_itself() -> None:
    assert not judged(named("Collector"), [NOUN] * 6).names


def test_the_hatter_is_somebody_since_he_speaks() -> None:
    speaks = NameEvidence(person=8, article=6)
    assert judged(named("Hatter"), [NOUN] * 6, speaks).names == {named("Hatter")}


def test_a_guess_counts_only_beside_deeds() -> None:
    assert not judged(named("Zorbin"), [GUESS] * 4).names
    assert judged(named("Zorbin"), [GUESS] * 4, NameEvidence(person=6)).names


def test_fewer_deeds_do_where_nothing_reads_as_a_thing() -> None:
    """`Hands` and `Black Dog`, words that are no names elsewhere."""
    guess_thing = NameUseReading(EntityCategory.LOCATION, MentionKind.PROPER, added=True)
    assert judged(named("Zorbin"), [GUESS] * 8, NameEvidence(person=1.75)).names
    assert not judged(named("Zorbin"), [GUESS] * 8 + [guess_thing] * 2, NameEvidence(person=2)).names
    assert not judged(named("Zorbin"), [GUESS] * 20, NameEvidence(person=6, article=12)).names


def test_where_people_come_from_is_no_person_whatever_it_reads_as() -> None:
    assert judged(named("Zorbin"), [PERSON] * 9, NameEvidence(person=1, place=2)).names
    assert not judged(named("Zorbin"), [PERSON] * 9, NameEvidence(person=1, place=4)).names


def test_belonging_to_a_people_is_no_name() -> None:
    assert not judged(named("Russians"), [PERSON] * 5).names
    assert judged(ProperName(("Mr",), ("German",)), [PERSON] * 5).names


def test_the_admiral_with_an_article_is_an_inn_unless_he_acts() -> None:
    admiral = ProperName(("Admiral",), ("Benbow",))
    assert not judged(admiral, [PERSON] * 8, NameEvidence(person=1, article=6)).names
    assert judged(admiral, [PERSON] * 8, NameEvidence(person=1, article=2)).names
    assert judged(admiral, [PERSON] * 8, NameEvidence(person=6, article=6)).names
    countess = ProperName(("Countess",), ("Zorbin",))
    assert judged(countess, [PERSON] * 8, NameEvidence(person=1, article=6)).names
