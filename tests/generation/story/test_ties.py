"""Relations between characters: those with enough evidence are reported, uncertain ones are not."""

from __future__ import annotations

import pytest

from tests.generation.story.telling import ties, told_ties

PEOPLE = {
    "ann": "Ann Hale/she",
    "bess": "Bess Hale/she",
    "tom": "Tom Reed/he",
    "ruth": "Mrs. Hale/she",
    "hugh": "Mr. Hale/he",
}
SISTERS = """# One

[Ann Hale|ann] lived with [her|ann] sister [Bess Hale|bess] near the river. [Bess|bess] was the sister of
[Ann Hale|ann], and they quarrelled.
"""


def test_a_tie_is_told_from_both_sides() -> None:
    assert ties(SISTERS, "ann", **PEOPLE) == {("sister", "bess")}
    assert ties(SISTERS, "bess", **PEOPLE) == {("sister", "ann")}


def test_a_tie_has_the_sentences_that_say_it() -> None:
    found = told_ties(SISTERS, "bess", **PEOPLE)[0]
    assert len(found.citations) == 2
    assert not found.inferred
    assert found.votes > 0


@pytest.mark.parametrize(
    "sentence",
    [
        "[Bess Hale|bess] was not the sister of [Ann Hale|ann].",
        "[Bess Hale|bess] might be the sister of [Ann Hale|ann].",
        "They asked whether [Bess Hale|bess] was the sister of [Ann Hale|ann].",
        "Occupied with her brother, [Bess Hale|bess] forgot [Ann Hale|ann].",
    ],
)
def test_what_is_denied_or_only_possible_is_no_tie(sentence: str) -> None:
    assert ties(f"# One\n\n{sentence} {sentence}", "bess", **PEOPLE) == set()


def test_once_through_a_pronoun_is_not_enough() -> None:
    told = "# One\n\n[Ann|ann] came. [She|ann] saw [her|ann] cousin [Tom Reed|tom] at the gate."
    assert ties(told, "tom", **PEOPLE) == set()
    assert ties(f"{told} [Tom Reed|tom] was the cousin of [Ann Hale|ann].", "tom", **PEOPLE) == {
        ("cousin", "ann")
    }


def test_whoever_is_called_her_mother_again_and_again_is_her_mother() -> None:
    often = "[Mrs. Hale|ruth] came. " + "[Ann|ann] went. [Her|ann] [mother|ruth] sang in the garden. " * 5
    assert ties(f"# One\n\n{often}", "ruth", **PEOPLE) == {("mother", "ann")}
    once = often[: often.index("garden. ") + 8]
    assert ties(f"# One\n\n{once}", "ruth", **PEOPLE) == set()


def test_the_one_who_leads_is_the_husband_and_without_a_lead_nobody_is() -> None:
    ours = "[Ann|ann] is the wife of [Mr. Hale|hugh]. "
    other = "[Ann|ann] is the wife of [Tom Reed|tom]. "
    assert ties("# One\n\n" + 4 * ours + other, "ann", **PEOPLE) == {("wife", "hugh")}
    assert ties("# One\n\n" + 2 * ours + 2 * other, "ann", **PEOPLE) == set()


def test_what_excludes_each_other_is_dropped_when_it_is_unclear() -> None:
    told = (
        "# One\n\n"
        + 2 * "[Tom Reed|tom] is the brother of [Ann|ann]. [Tom Reed|tom] is the uncle of [Ann|ann]. "
    )
    assert ties(told, "tom", **PEOPLE) == set()


def test_a_couple_is_told_by_its_name() -> None:
    told = (
        "# One\n\nMr. and [Mrs. Hale|ruth] came to tea. [Mr. Hale|hugh] was late. [Mrs. Hale|ruth] sat down."
    )
    assert ties(told, "ruth", **PEOPLE) == {("wife", "hugh")}
    assert ties(told, "hugh", **PEOPLE) == {("husband", "ruth")}


def test_who_share_a_mother_are_sisters() -> None:
    told = "# One\n\n" + 2 * (
        "[Ann Hale|ann] is the daughter of [Mrs. Hale|ruth]. "
        "[Bess Hale|bess] is the daughter of [Mrs. Hale|ruth]. "
    )
    assert ties(told, "bess", **PEOPLE) == {("daughter", "ruth"), ("sister", "ann")}
    assert {t.term for t in told_ties(told, "bess", **PEOPLE) if t.inferred} == {"sister"}


def test_no_sister_is_a_he() -> None:
    told = "# One\n\n" + 2 * "[Tom Reed|tom] is the sister of [Ann|ann]. "
    assert ties(told, "tom", **PEOPLE) == set()


def test_friends_have_a_word_for_each_side_and_a_tutor_a_pupil() -> None:
    told = "# One\n\n" + 2 * "[Tom Reed|tom] is the tutor of [Ann|ann]. "
    assert ties(told, "tom", **PEOPLE) == {("tutor", "ann")}
    assert ties(told, "ann", **PEOPLE) == {("pupil", "tom")}


def test_what_somebody_says_counts_with_the_speaker() -> None:
    told = "# One\n\n" + 2 * "{tom>bess:“[Ann Hale|ann] is [my|tom] cousin,”} said [Tom Reed|tom].\n\n"
    assert ties(told, "tom", **PEOPLE) == {("cousin", "ann")}
