"""Descriptive phrases of the book: about the right person, lasting, and reusable."""

from __future__ import annotations

import pytest

from generation.story.types import Aspect, Dossier, Stroke, StrokeKind
from tests.generation.story.telling import dossier

PEOPLE = {"ann": "Ann Hale/she", "tom": "Tom Reed/he", "kate": "Kate Moss/she"}
FILLER = "The rain fell on the town, and the river rose behind the mill. " * 20


def told(text: str, of: str = "ann") -> Dossier:
    return dossier(f"# One\n\n{text}", of, **PEOPLE)


def texts(text: str, of: str = "ann") -> set[str]:
    return {stroke.text for stroke in told(text, of).portrait}


def only(text: str, of: str = "ann") -> Stroke:
    (found,) = told(text, of).portrait
    return found


@pytest.mark.parametrize(
    ("text", "kind", "aspect", "said", "phrase", "counted"),
    [
        (
            "[Tom Reed|tom] was a tall, heavy-looking young man of five-and-twenty.",
            StrokeKind.IS_A,
            Aspect.LOOKS,
            "a tall, heavy-looking young man of five-and-twenty",
            "tall, heavy-looking young man of five-and-twenty",
            True,
        ),
        (
            "[Tom Reed|tom], a sensible man about seven-and-thirty, was a friend of the family.",
            StrokeKind.IS_A,
            Aspect.NATURE,
            "a sensible man about seven-and-thirty",
            "sensible man about seven-and-thirty",
            True,
        ),
        (
            "[Tom Reed|tom] was proud, sardonic, and frugal.",
            StrokeKind.IS,
            Aspect.NATURE,
            "proud, sardonic, and frugal",
            "proud, sardonic, and frugal",
            False,
        ),
        (
            "[Tom Reed|tom], handsome, clever, and rich, lived in the town.",
            StrokeKind.IS,
            Aspect.LOOKS,
            "handsome, clever, and rich",
            "handsome, clever, and rich",
            False,
        ),
        (
            "[Tom Reed|tom] had a pleasant countenance.",
            StrokeKind.HAS,
            Aspect.LOOKS,
            "a pleasant countenance",
            "pleasant countenance",
            True,
        ),
        (
            "[Tom Reed|tom] was of an exploring mind.",
            StrokeKind.HAS,
            Aspect.NATURE,
            "an exploring mind",
            "exploring mind",
            True,
        ),
        (
            "[Tom Reed|tom]'s manners were very formal.",
            StrokeKind.FEATURE,
            Aspect.LOOKS,
            "manners were very formal",
            "very formal manners",
            False,
        ),
        (
            "[Tom Reed|tom] stood up. [His|tom] large blue eyes wandered over the wall.",
            StrokeKind.FEATURE,
            Aspect.LOOKS,
            "large blue eyes",
            "large blue eyes",
            False,
        ),
    ],
)
def test_the_kinds(
    text: str, kind: StrokeKind, aspect: Aspect, said: str, phrase: str, counted: bool
) -> None:
    found = only(text, "tom")
    assert (found.kind, found.aspect, found.text, found.phrase) == (kind, aspect, said, phrase)
    assert (found.counted, found.speaker, found.denied) == (counted, None, False)


def test_the_parts_of_a_phrase() -> None:
    found = only("[Ann Hale|ann]'s air was grave and very stately.")
    assert (found.adjectives, found.noun) == (("grave", "very stately"), "air")


def test_parts_in_a_row_are_told_one_by_one() -> None:
    assert texts(
        "[Ann Hale|ann] was short, plump, and fair, with a fine bloom, blue eyes, light hair, and regular "
        "features."
    ) == {"short, plump, and fair", "a fine bloom", "blue eyes", "light hair", "regular features"}
    assert texts("[Ann Hale|ann] had a pleasant countenance, and easy, unaffected manners.") == {
        "a pleasant countenance",
        "easy, unaffected manners",
    }
    assert texts(
        "[Tom Reed|tom] was a remarkable-looking man, tall and handsome, with a black beard.", "tom"
    ) == {
        "a remarkable-looking man",
        "tall and handsome",
        "a black beard",
    }


def test_one_article_serves_for_a_row() -> None:
    found = told("[Ann Hale|ann] had a fine complexion and good-humoured countenance.").portrait
    assert [(stroke.text, stroke.counted) for stroke in found] == [
        ("a fine complexion", True),
        ("good-humoured countenance", True),
    ]


def test_what_goes_on_with_of_stays_whole() -> None:
    text = "[Ann Hale|ann] was a woman of mean understanding, little information, and uncertain temper."
    assert texts(text) == {"a woman of mean understanding, little information, and uncertain temper"}


def test_what_is_wanting() -> None:
    turn = only("[Ann Hale|ann] had no turn for economy.")
    assert (turn.text, turn.phrase, turn.denied) == ("no turn for economy", "turn for economy", True)
    man = only("[Tom Reed|tom] was not a sensible man.", "tom")
    assert (man.text, man.denied) == ("a sensible man", True)


@pytest.mark.parametrize(
    "text",
    [
        "[Ann Hale|ann] was angry and silent.",
        "[Ann Hale|ann] had a white face.",
        "[Ann Hale|ann]'s eyes were red and wet.",
        "[Ann Hale|ann] was a changed woman.",
        "To-day [Ann Hale|ann] is a haggard old woman.",
        "[Ann Hale|ann] was a generous woman when she had dined.",
        "[Ann Hale|ann] was kind and gracious, forgave him, and went home.",
        "[Ann Hale|ann] was very kind, forgave him readily, and did not utter one reproach.",
        "[Ann Hale|ann] was generous.",
    ],
)
def test_what_is_of_a_moment_is_left_out(text: str) -> None:
    assert texts(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "[Ann Hale|ann] was not proud and vain.",
        "[Ann Hale|ann] might be a generous woman.",
        "Had [Ann Hale|ann] been a generous woman, they would have stayed.",
        "[Kate Moss|kate] thought that [Ann Hale|ann] was a generous woman.",
        "[Ann Hale|ann] was as tall and thin as a pole.",
        "[Ann Hale|ann] was the proudest woman in the town.",
        "[Ann Hale|ann] was so proud and vain a woman that nobody came.",
        "[Ann Hale|ann] had been a proud, handsome woman.",
        "([Ann Hale|ann] was a proud, handsome woman, reader.)",
    ],
)
def test_what_is_denied_possible_compared_or_over_is_left_out(text: str) -> None:
    assert texts(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "[Ann Hale|ann] had a dear little woman.",
        "[Ann Hale|ann] was a woman of Kate’s humour.",
        "[Ann Hale|ann] was a dear little woman.",
        "[Ann Hale|ann] was such a proud woman.",
        "[Ann Hale|ann] had her proud face in her hands.",
        "[Ann Hale|ann] was a handsome man.",
    ],
)
def test_what_does_not_fit_or_cannot_stand_alone_is_left_out(text: str) -> None:
    assert texts(text) == set()


# Owners


def test_a_pronoun_counts_behind_the_name() -> None:
    text = "[Ann Hale|ann] came in. [She|ann] was a tall, thin woman."
    assert texts(text) == {"a tall, thin woman"}


def test_a_pronoun_without_the_name_is_nobodys() -> None:
    assert texts(f"[Ann Hale|ann] came in. {FILLER}\n\n[She|ann] was a tall, thin woman.") == set()


def test_a_pronoun_is_not_told_of_one_while_another_is_spoken_of() -> None:
    text = "[Ann Hale|ann] came in. {0}\n\n[Kate Moss|kate] sat down. [She|ann] was a tall, thin woman."
    assert texts(text.format(FILLER * 3)) == set()
    behind = "[Kate Moss|kate] sat down. {0}\n\n[Ann Hale|ann] came in. [She|ann] was a tall, thin woman."
    assert texts(behind.format(FILLER * 3)) == {"a tall, thin woman"}


def test_whoever_has_just_been_named_is_described() -> None:
    text = (
        f"[Ann Hale|ann] came in. {FILLER}{FILLER}{FILLER}\n\n[Kate Moss|kate] was the daughter of a miller. "
        "She was a girl whom [Ann Hale|ann] admired. [She|ann] was short, plump, and fair."
    )
    assert texts(text) == set()
    assert texts(text, "kate") == {"short, plump, and fair"}


def test_a_noun_that_anybody_may_be_is_nobodys() -> None:
    assert texts("[Ann Hale|ann] came in. [the woman|ann] was a tall, thin creature.") == set()


def test_a_parenthesis_does_not_say_who_is_meant() -> None:
    text = (
        f"[Ann Hale|ann] came in. {FILLER}\n\nThe lady--[Ann|ann] called her so--was rich, and [she|ann] "
        "had a delicate little nose."
    )
    assert texts(text) == set()


def test_of_two_that_clash_the_surer_is_kept() -> None:
    text = (
        "[Ann Hale|ann] was a tall, handsome woman. [Ann Hale|ann] came in. [She|ann] was a short woman. "
        "[Ann Hale|ann] had blue eyes."
    )
    assert texts(text) == {"a tall, handsome woman", "blue eyes"}


def test_what_was_told_already_is_not_told_again() -> None:
    assert texts("[Ann Hale|ann] had round blue eyes. [Ann Hale|ann] had round eyes.") == {"round blue eyes"}


# Speakers


def test_a_speaker_is_named_and_weighs_less() -> None:
    said = "{tom>kate:“[Ann Hale|ann] is a proud, handsome woman,”} said [Tom Reed|tom]."
    spoken, own = only(said), only("[Ann Hale|ann] was a proud, handsome woman.")
    assert (spoken.speaker, own.speaker) == ("tom", None)
    assert spoken.weight < own.weight


def test_a_speaker_who_tells_what_was_is_not_heard() -> None:
    assert texts("{tom>kate:“[Ann Hale|ann] was a proud, handsome woman,”} said [Tom Reed|tom].") == set()


def test_whom_a_speaker_calls_is_not_whom_they_speak_of() -> None:
    assert texts("{tom>ann:“[Ann|ann], that is a proud, handsome woman,”} said [Tom Reed|tom].") == set()


# Order


def test_richer_and_surer_goes_first() -> None:
    text = (
        f"[Ann Hale|ann] came in. {FILLER * 4}\n\n[Ann Hale|ann] had a long nose. "
        "[Ann Hale|ann] was a tall, thin, active woman of forty."
    )
    first, second = told(text).portrait
    assert (first.text, second.text) == ("a tall, thin, active woman of forty", "a long nose")
    assert first.weight > second.weight


def test_the_place_is_cited() -> None:
    found = only(f"{FILLER}\n\n[Ann Hale|ann] had a long nose.")
    assert found.citation.chapter == 0
    assert found.citation.span.end - found.citation.span.start == len("Ann Hale had a long nose.")
