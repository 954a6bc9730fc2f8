"""Attitudes of characters: those with enough evidence are reported, uncertain ones are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generation.story.attitudes.attitudes import Attitudes
from generation.story.indexed_book import reading_of
from generation.story.ties.relation_consensus import RelationConsensus
from generation.story.types import Attitude, Bearing
from tests.generation.story.telling import tell

PEOPLE = {
    "ann": "Ann Hale/she",
    "bess": "Bess Hale/she",
    "tom": "Tom Reed/he",
    "hugh": "Hugh Vane/he",
}
Told = set[tuple[Bearing, str, str]]


def told(text: str, of: str = "ann") -> Told:
    return {(a.bearing, a.holder, a.other) for a in found(text, of)}


def found(text: str, of: str = "ann") -> tuple[Attitude, ...]:
    return attitudes(f"# One\n\n{text}", of, **PEOPLE)


def attitudes(marked: str, of: str, **people: str) -> tuple[Attitude, ...]:
    reading = reading_of(*tell(marked, **people))
    return Attitudes(reading, RelationConsensus(reading)).of(of)


@pytest.mark.parametrize(
    ("sentence", "bearing"),
    [
        ("[Ann Hale|ann] loved [Tom Reed|tom].", Bearing.LOVE),
        ("[Tom Reed|tom] was loved by [Ann Hale|ann].", Bearing.LOVE),
        ("[Ann Hale|ann] was in love with [Tom Reed|tom].", Bearing.LOVE),
        ("[Ann Hale|ann] fell in love with [Tom Reed|tom].", Bearing.LOVE),
        ("[Ann Hale|ann] was very fond of [Tom Reed|tom].", Bearing.FONDNESS),
        ("[Ann Hale|ann] was jealous of [Tom Reed|tom].", Bearing.JEALOUSY),
        ("[Ann Hale|ann]’s dislike of [Tom Reed|tom] was plain.", Bearing.DISLIKE),
        ("[Ann Hale|ann] felt a great dislike of [Tom Reed|tom].", Bearing.DISLIKE),
        ("[Ann Hale|ann] confided in [Tom Reed|tom].", Bearing.TRUST),
        ("[Ann Hale|ann] refused [Tom Reed|tom]’s hand.", Bearing.REFUSAL),
        ("[Ann Hale|ann] proposed to [Tom Reed|tom].", Bearing.PROPOSAL),
        ("[Ann Hale|ann] was engaged to [Tom Reed|tom].", Bearing.ENGAGEMENT),
        ("[Ann Hale|ann]’s engagement to [Tom Reed|tom] was announced.", Bearing.ENGAGEMENT),
        ("[Ann Hale|ann] married [Tom Reed|tom].", Bearing.MARRIAGE),
        ("[Ann Hale|ann] and [Tom Reed|tom] were married.", Bearing.MARRIAGE),
        ("[Ann Hale|ann] eloped with [Tom Reed|tom].", Bearing.ELOPEMENT),
        ("[Ann Hale|ann] saved [Tom Reed|tom]’s life.", Bearing.SAVING),
        ("[Ann Hale|ann] killed [Tom Reed|tom].", Bearing.KILLING),
    ],
)
def test_one_plain_sentence_with_both_names_is_enough(sentence: str, bearing: Bearing) -> None:
    assert told(sentence) == {(bearing, "ann", "tom")}


@pytest.mark.parametrize(
    "sentence",
    [
        "[Tom Reed|tom] asked [her|ann] to marry [him|tom].",
        "[Tom Reed|tom] made [her|ann] an offer of marriage.",
        "[Tom Reed|tom] offered [her|ann] marriage.",
        "[She|ann] received an offer of marriage from [Tom Reed|tom].",
    ],
)
def test_ways_to_propose(sentence: str) -> None:
    assert told(f"[Ann Hale|ann] came. {sentence}") == {(Bearing.PROPOSAL, "tom", "ann")}


def test_others_towards_them_are_told_as_well_and_what_two_do_from_both_sides() -> None:
    assert told("[Tom Reed|tom] loved [Ann Hale|ann].") == {(Bearing.LOVE, "tom", "ann")}
    wedding = "[Ann Hale|ann] married [Tom Reed|tom]."
    assert told(wedding, "tom") == {(Bearing.MARRIAGE, "tom", "ann")}
    assert told(wedding, "bess") == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "[Ann Hale|ann] did not love [Tom Reed|tom].",
        "[Ann Hale|ann] might love [Tom Reed|tom].",
        "If [Ann Hale|ann] loved [Tom Reed|tom], nobody knew of it.",
        "They asked whether [Ann Hale|ann] loved [Tom Reed|tom].",
        "[Ann Hale|ann] was far from loving [Tom Reed|tom].",
        "[Ann Hale|ann] was cured of [her|ann] love for [Tom Reed|tom].",
        "[Ann Hale|ann] loved to see [Tom Reed|tom].",
        "[Ann Hale|ann] hated [Tom Reed|tom] just then.",
        "[Ann Hale|ann] almost hated [Tom Reed|tom].",
        "It was the idea of [Ann Hale|ann]’s marrying [Tom Reed|tom] that vexed them.",
        "[Ann Hale|ann] saved [Tom Reed|tom] the trouble.",
        "[Ann Hale|ann] and [Bess Hale|bess] were married.",
    ],
)
def test_what_is_not_said_to_be_so_is_not_told_however_often(sentence: str) -> None:
    assert told(f"{sentence}\n\nIt rained.\n\n{sentence}") == set()


def test_who_is_loved_as_a_brother_is_not_simply_loved() -> None:
    loved = "[Ann Hale|ann] loved [Tom Reed|tom] as a brother."
    assert told(loved) == set()
    assert told(loved.replace(" as a brother", "")) == {(Bearing.LOVE, "ann", "tom")}


def test_what_is_denied_counts_against() -> None:
    said = "[Ann Hale|ann] admired [Tom Reed|tom]."
    denied = "[Ann Hale|ann] never admired [Tom Reed|tom]."
    assert told(f"{said}\n\n{said}\n\n{denied}") == {(Bearing.ADMIRATION, "ann", "tom")}
    assert told(f"{said}\n\n{denied}") == set()
    (admired,) = found(f"{said}\n\n{said}\n\n{denied}")
    assert (admired.votes, admired.against) == (2.0, 1.0)


def test_who_is_never_liked_is_disliked_and_who_is_liked_too_is_not() -> None:
    never = "[Ann Hale|ann] had never liked [Tom Reed|tom]."
    assert told(f"{never}\n\n{never}") == {(Bearing.DISLIKE, "ann", "tom")}
    too = "[Ann Hale|ann] was beginning to like [Tom Reed|tom], too."
    assert told(f"{too}\n\n{too}") == {(Bearing.FONDNESS, "ann", "tom")}


def test_an_uncertain_pronoun_needs_more_than_one_place() -> None:
    once = "[Ann Hale|ann] came. [Bess Hale|bess] sang. [She|ann] admired [Tom Reed|tom].\n\n"

    def admirers(text: str, certainty: float) -> Told:
        book, annotations = tell(f"# One\n\n{text}", **PEOPLE)
        mentions = tuple(
            replace(m, confidence=certainty) if book.slice(m.span) == "She" else m
            for m in annotations.mentions
        )
        reading = reading_of(book, replace(annotations, mentions=mentions))
        return {
            (a.bearing, a.holder, a.other) for a in Attitudes(reading, RelationConsensus(reading)).of("ann")
        }

    assert admirers(once, 1.0) == {(Bearing.ADMIRATION, "ann", "tom")}
    assert admirers(once, 0.5) == set()
    assert admirers(once * 3, 0.5) == {(Bearing.ADMIRATION, "ann", "tom")}


def test_twice_in_one_paragraph_is_once() -> None:
    once = "[Ann Hale|ann] saw [Hugh Vane|hugh]. [He|hugh] pitied [her|ann]."
    assert told(f"{once} {once}") == set()
    assert told(f"{once}\n\n{once}") == {(Bearing.PITY, "hugh", "ann")}


def test_the_strongest_of_a_kind_is_told_and_a_weaker_counts_for_it() -> None:
    text = "[Ann Hale|ann] loved [Tom Reed|tom].\n\n[Ann Hale|ann] was fond of [Tom Reed|tom]."
    assert told(text) == {(Bearing.LOVE, "ann", "tom")}


def test_a_wedding_is_told_of_the_one_it_happened_with() -> None:
    spoken = "[Ann Hale|ann]’s marriage with [Hugh Vane|hugh] was a dream of [Bess Hale|bess]."
    done = "[Ann Hale|ann] married [Tom Reed|tom]."
    assert told(f"{spoken}\n\n{spoken}") == set()
    assert told(f"{spoken}\n\n{done}") == {(Bearing.MARRIAGE, "ann", "tom")}
    after = "After [Ann Hale|ann]’s marriage with [Tom Reed|tom] the house was empty."
    assert told(f"{after}\n\n{after}\n\n{done}") == {(Bearing.MARRIAGE, "ann", "tom")}


def test_who_was_a_wife_from_the_first_does_not_marry_in_the_book() -> None:
    people = {"ruth": "Mrs. Hale/she", "hugh": "Mr. Hale/he"}
    text = "# One\n\n[Mrs. Hale|ruth] had married [Mr. Hale|hugh] long ago."
    assert attitudes(text, "ruth", **people) == ()


def test_a_wife_is_told_by_her_new_name() -> None:
    text = (
        "# One\n\n[Miss Lucas|ruth] was poor. [Miss Lucas|ruth] sang.\n\n# Two\n\n"
        + "[Mrs. Hale|ruth] was the wife of [Mr. Hale|hugh]. " * 2
        + "[Mrs. Hale|ruth] kept hens. " * 2
    )
    (wedding,) = attitudes(text, "ruth", ruth="Miss Lucas/she", hugh="Mr. Hale/he")
    assert (wedding.bearing, wedding.other, wedding.chapter) == (Bearing.MARRIAGE, "hugh", 1)


def test_who_says_so_is_named_where_the_story_does_not() -> None:
    declared = "{ann>tom:“[I|ann] love [Tom Reed|tom],”} said [Ann Hale|ann]."
    (love,) = found(declared)
    assert (love.bearing, love.holder, love.other, love.speaker) == (Bearing.LOVE, "ann", "tom", "ann")
    heard = "{bess>hugh:“[Ann Hale|ann] loves [Tom Reed|tom],”} said [Bess Hale|bess]."
    assert found(heard) == ()
    regard = heard.replace("loves", "likes")
    assert found("\n\n".join([regard] * 2)) == ()
    (rumour,) = found(f"{heard}\n\n{heard}")
    assert rumour.speaker == "bess"
    (both,) = found(f"{heard}\n\n{heard}\n\n[Ann Hale|ann] loved [Tom Reed|tom].")
    assert both.speaker is None


def test_love_that_is_returned_needs_less() -> None:
    hers = "{ann>tom:“[I|ann] love [you|tom],”} said [Ann Hale|ann]."
    his = "{tom>ann:“[I|tom] adore [you|ann],”} said [Tom Reed|tom]."
    assert found(hers) == ()
    assert told(f"{hers}\n\n{his}") == {(Bearing.LOVE, "ann", "tom"), (Bearing.LOVE, "tom", "ann")}
    assert told(f"{hers}\n\n{his.replace('adore', 'fear')}") == set()


def test_who_tells_the_story_needs_no_name() -> None:
    text = "# One\n\n[I|ann] was afraid of [Tom Reed|tom]."
    (fear,) = attitudes(text, "ann", **PEOPLE)
    assert (fear.bearing, fear.holder, fear.speaker) == (Bearing.FEAR, "ann", None)
    assert attitudes(text.replace("[I|ann]", "[She|ann]"), "ann", **PEOPLE) == ()


def test_whoever_asks_for_a_hand_proposes() -> None:
    asked = "{tom>ann:“Will [you|ann] marry [me|tom]?”} said [Tom Reed|tom]."
    assert told(asked) == {(Bearing.PROPOSAL, "tom", "ann")}


def test_whom_somebody_calls_darling_again_and_again_they_are_fond_of() -> None:
    called = "{ann>tom:“Come here, my darling,”} said [Ann Hale|ann].\n\n"
    assert told(called) == set()
    assert told(called * 4) == {(Bearing.FONDNESS, "ann", "tom")}


def test_nobody_was_killed_who_speaks_later() -> None:
    killed = "[Ann Hale|ann] killed [Tom Reed|tom]."
    speaks = "\n\n{tom>ann:“I am well,”} said [Tom Reed|tom]."
    assert told(speaks * 3 + "\n\n" + killed) == {(Bearing.KILLING, "ann", "tom")}
    assert told(killed + speaks * 3) == set()


def test_when_it_holds() -> None:
    plain = "It rained in the valley.\n\n" * 10
    early = f"[Ann Hale|ann] hated [Tom Reed|tom].\n\n{plain}"
    late = "[Ann Hale|ann] loved [Tom Reed|tom]."
    book = f"# One\n\n{early}\n\n# Two\n\n{plain}\n\n# Three\n\nIt rained.\n\n{late}"
    cold, warm = sorted(attitudes(book, "ann", **PEOPLE), key=lambda a: a.chapter)
    assert (cold.bearing, cold.chapter, cold.early, cold.late) == (Bearing.HATRED, 0, True, False)
    assert (warm.bearing, warm.chapter, warm.early, warm.late) == (Bearing.LOVE, 2, False, True)


def test_what_is_said_of_strangers_weighs_less() -> None:
    said = "[Hugh Vane|hugh] came. [He|hugh] admired [Tom Reed|tom].\n\n"
    crowd = {f"p{i}": f"Person{chr(65 + i)} Smith/he" for i in range(12)}
    busy = "".join(
        f"[{name.split('/')[0]}|{who}] met [{whom}|{key}].\n\n" * 3
        for who, name in crowd.items()
        for whom, key in (("Hugh Vane", "hugh"), ("Tom Reed", "tom"))
    )
    assert {a.other for a in attitudes(f"# One\n\n{said}", "hugh", **PEOPLE, **crowd)} == {"tom"}
    assert attitudes(f"# One\n\n{busy}{said}", "hugh", **PEOPLE, **crowd) == ()
