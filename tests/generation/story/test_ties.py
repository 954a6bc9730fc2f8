"""Relations between characters: what a book shows of each, and which are probable and go together."""

from __future__ import annotations

import pytest

from coref import doubtful_people
from coref.doubtful_people import MERE_PRONOUN
from coref.odds import LearntOdds
from generation.story.cast import cast_of
from generation.story.indexed_book import reading_of
from generation.story.ties.learnt_ties import FoundTie, found_in, shipped
from generation.story.ties.tie_signs import FEATURES, SignReader, TieKey, TieSigns
from tests.generation.story import test_statements as statements
from tests.generation.story.telling import tell, ties, told_ties

PEOPLE = {**statements.PEOPLE, "hugh": "Mr. Hale/he"}
OFTEN = 6
SISTERS = OFTEN * (
    "[Ann Hale|ann] lived with [her|ann] sister [Bess Hale|bess] near the river. "
    "[Bess|bess] was the sister of [Ann Hale|ann], and they quarrelled. "
)


def read(marked: str) -> SignReader:
    return SignReader(reading_of(cast_of(*tell(f"# One\n\n{marked}", **PEOPLE))))


def stated(marked: str) -> dict[TieKey, TieSigns]:
    return {key: signs for key, signs in read(marked).signs.items() if signs.stated}


def found(marked: str, **weights: float) -> tuple[FoundTie, ...]:
    """What a model finds that looks at a few features."""
    model = LearntOdds(FEATURES, -1.0, [weights.get(name, 0.0) for name in FEATURES])
    return found_in(reading_of(cast_of(*tell(f"# One\n\n{marked}", **PEOPLE))), model)


@pytest.mark.parametrize(
    ("sentence", "key"),
    [
        ("[Bess Hale|bess] was the sister of [Ann Hale|ann].", TieKey("sibling", "ann", "bess")),
        ("[Ann Hale|ann] came with [her|ann] mother [Mrs. Hale|ruth].", TieKey("parent", "ruth", "ann")),
        ("[Ann Hale|ann] is the daughter of [Mrs. Hale|ruth].", TieKey("parent", "ruth", "ann")),
        ("[Tom Reed|tom] is the tutor of [Ann Hale|ann].", TieKey("teacher", "tom", "ann")),
        ("[Ann Hale|ann] is the pupil of [Tom Reed|tom].", TieKey("teacher", "tom", "ann")),
        ("[Tom Reed|tom] married [Ann Hale|ann].", TieKey("spouse", "ann", "tom")),
        ("Mr. and [Mrs. Hale|ruth] came to tea. [Mr. Hale|hugh] was late.", TieKey("spouse", "hugh", "ruth")),
    ],
)
def test_what_a_sentence_states(sentence: str, key: TieKey) -> None:
    (signs,) = (signs for found, signs in stated(sentence).items() if found == key)
    assert all(mention.plain and not mention.quoted for mention in signs.stated)


@pytest.mark.parametrize(
    "sentence",
    [
        "[Bess Hale|bess] was not the sister of [Ann Hale|ann].",
        "[Bess Hale|bess] might be the sister of [Ann Hale|ann].",
        "They asked whether [Bess Hale|bess] was the sister of [Ann Hale|ann].",
        "[Tom Reed|tom] will marry [Ann Hale|ann].",
        "Occupied with her brother, [Bess Hale|bess] forgot [Ann Hale|ann].",
        "[Tom Reed|tom] is the sister of [Ann Hale|ann].",
        "Mr. Reed and [Mrs. Hale|ruth] came to tea. [Tom Reed|tom] was late.",
    ],
)
def test_what_is_denied_or_only_possible_is_not_stated(sentence: str) -> None:
    assert stated(sentence) == {}


def test_a_pronoun_and_what_somebody_says_weigh_less() -> None:
    def weight(sentence: str) -> float:
        (signs,) = stated(sentence).values()
        return signs.strength

    named = weight("[Tom Reed|tom] is the cousin of [Ann Hale|ann].")
    assert weight("[Ann|ann] came. [Tom Reed|tom] is [her|ann] cousin.") < named
    assert weight("[Ann|ann] came. [Her|ann] [cousin|tom] sang. [Tom Reed|tom] left.") < named
    said = "{tom>bess:“[Ann Hale|ann] is [my|tom] cousin,”} said [Tom Reed|tom]."
    ((key, signs),) = stated(said).items()
    assert key == TieKey("cousin", "ann", "tom")
    assert [mention.quoted for mention in signs.stated] == [True]


def test_who_her_mother_is_by_whom_the_resolver_takes_it_for_and_who_is_near() -> None:
    told = "[Mrs. Hale|ruth] came. [Ann|ann] went. " + 3 * "[Her|ann] [mother|ruth] sang to [Bess|bess]. "
    signs = read(told).signs
    mother, sister = signs[TieKey("parent", "ruth", "ann")], signs[TieKey("parent", "bess", "ann")]
    assert (mother.phrases, mother.referred) == (3, 3)
    assert (sister.phrases, sister.referred) == (3, 0)
    assert mother.near_share == sister.near_share == 3 / 4
    assert not any(key.one == "tom" or key.other == "tom" for key in signs)


def test_whom_a_speaker_calls_mother() -> None:
    told = "{ann>ruth:“Come, mother,”} said [Ann|ann] to [Mrs. Hale|ruth].\n\n"
    assert read(told).signs[TieKey("parent", "ruth", "ann")].addressed > 0
    other = "{ann>ruth:“Come, my mother is here,”} said [Ann|ann] to [Mrs. Hale|ruth].\n\n"
    assert read(other).signs[TieKey("parent", "ruth", "ann")].addressed == 0


def test_rows_have_the_features_in_their_order() -> None:
    row = dict(zip(FEATURES, read(SISTERS).rows()[TieKey("sibling", "ann", "bess")], strict=True))
    assert row["sibling"] == row["surname shared by blood"] == 1
    assert row["spouse"] == row["plain, said"] == row["called"] == row["near, social"] == 0
    assert row["plain"] > row["named"] > 0
    assert row["lead"] > 0.5


def test_two_people_have_one_tie_and_nobody_has_two_mothers() -> None:
    both = (
        3 * "[Ann|ann] is the sister of [Bess Hale|bess]. " + "[Ann|ann] is the cousin of [Bess Hale|bess]. "
    )
    assert [tie.key.tie for tie in found(both, plain=2.0)] == ["sibling"]
    mothers = 3 * "[Ann|ann] is the daughter of [Mrs. Hale|ruth]. "
    mothers += "[Ann|ann] is the daughter of [Bess Hale|bess]. [Ann|ann] is the daughter of [Mr. Hale|hugh]. "
    parents = {tie.key.one for tie in found(mothers, plain=2.0) if tie.key.tie == "parent"}
    assert parents == {"ruth", "hugh"}


def test_husbands_too() -> None:
    told = 3 * "[Ann|ann] is the wife of [Mr. Hale|hugh]. " + "[Ann|ann] is the wife of [Tom Reed|tom]. "
    assert [tie.key for tie in found(told, plain=2.0)] == [TieKey("spouse", "ann", "hugh")]


def test_what_is_improbable_is_no_tie() -> None:
    assert found(SISTERS, plain=0.0) == ()


def test_a_tie_of_a_doubtful_person_is_certain_only_by_their_name(monkeypatch: pytest.MonkeyPatch) -> None:
    meant = "[Bess Hale|bess] came. " + OFTEN * "[She|bess] was the sister of [Ann Hale|ann]. "
    assert found(meant, plain=9.0)[0].probability > MERE_PRONOUN
    monkeypatch.setattr(doubtful_people, "MANY", OFTEN - 1)
    assert found(meant, plain=9.0)[0].probability == MERE_PRONOUN
    named = meant + "[Bess Hale|bess] was the sister of [Ann Hale|ann]."
    assert found(named, plain=9.0)[0].probability > MERE_PRONOUN


def test_a_tie_is_told_from_both_sides_with_the_sentences_that_say_it() -> None:
    told = f"# One\n\n{SISTERS}"
    assert ties(told, "ann", **PEOPLE) == {("sister", "bess")}
    (found,) = told_ties(told, "bess", **PEOPLE)
    assert (found.term, found.other, found.family) == ("sister", "ann", True)
    assert len(found.places) == 3
    assert found.qualifier is None


def test_the_word_is_that_of_the_side() -> None:
    told = OFTEN * "[Ann|ann] is the old governess of [Tom Reed|tom]. [Tom|tom] left. "
    (tie,) = found(told, plain=2.0)
    assert tie.relation(turned=tie.key.other == "ann").name == "governess"
    assert tie.relation(turned=tie.key.other == "tom").name == "pupil"


def test_the_shipped_weights_are_those_of_the_features() -> None:
    assert len(shipped().weights) == len(FEATURES)
