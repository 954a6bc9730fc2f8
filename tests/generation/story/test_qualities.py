"""Qualities of a character: only those that are asserted, with their speakers."""

from __future__ import annotations

import pytest

from generation.story.types import Aspect
from tests.generation.story.telling import dossier

PEOPLE = {"ann": "Ann Hale/she", "tom": "Tom Reed/he", "kate": "Kate Moss/she"}


def told(text: str, of: str = "ann") -> dict[str, tuple[Aspect, str | None]]:
    return {q.text: (q.aspect, q.speaker) for q in dossier(f"# One\n\n{text}", of, **PEOPLE).qualities}


def test_nature_looks_age_and_condition_are_told_apart() -> None:
    words = ("generous", "tall", "young", "rich")
    assert told(" ".join(f"[Ann Hale|ann] was {word}." for word in words)) == {
        "generous": (Aspect.NATURE, None),
        "tall": (Aspect.LOOKS, None),
        "young": (Aspect.AGE, None),
        "rich": (Aspect.CONDITION, None),
    }


@pytest.mark.parametrize(
    "text",
    [
        "[Ann Hale|ann] was not generous.",
        "[Ann Hale|ann] might be generous.",
        "If [Ann Hale|ann] were generous, he would stay.",
        "[Ann Hale|ann] was more generous than Kate.",
        "Poor [Ann Hale|ann] went home.",
        "[Ann Hale|ann] was angry.",
        "[Ann Hale|ann] was able to come.",
        "[Ann Hale|ann] was warm in her blame.",
        "[Ann Hale|ann] looked proud.",
        "[Tom Reed|tom] met the proud woman, [Ann Hale|ann].",
        "{tom>ann:“You are proud, [Ann Hale|ann],”} said [Tom Reed|tom].",
        "{tom>kate:“[Ann Hale|ann] was treated handsome,”} said [Tom Reed|tom].",
    ],
)
def test_what_is_not_so_or_does_not_last_is_no_quality(text: str) -> None:
    assert told(text) == {}


def test_what_a_speaker_says_is_the_speakers() -> None:
    said = "{tom>kate:“[Ann Hale|ann] is proud,”} said [Tom Reed|tom].\n\n"
    assert told(said + said) == {"proud": (Aspect.NATURE, "tom")}
    assert told(said + "[Ann Hale|ann] was proud.") == {"proud": (Aspect.NATURE, None)}


def test_a_kind_of_person_is_told_with_its_noun() -> None:
    found = dossier("# One\n\n[Ann Hale|ann] was a woman of mean understanding.", "ann", **PEOPLE).qualities
    assert [(q.text, q.noun) for q in found] == [("woman of mean understanding", True)]


def test_what_sets_somebody_apart_goes_first() -> None:
    text = (
        "[Ann Hale|ann] was clever. [Ann Hale|ann] was frugal. [Tom Reed|tom] was clever. "
        "[Kate Moss|kate] was clever."
    )
    assert list(told(text)) == ["frugal", "clever"]


def test_what_needs_more_than_the_word_is_no_quality() -> None:
    found = dossier(
        "# One\n\n[Ann Hale|ann] was sensible of the honour. [Ann Hale|ann] was proud to be asked. "
        "The news made [Ann Hale|ann] generous. [Ann Hale|ann] was clever and modest.",
        "ann",
        ann="Ann Hale/she",
    )
    assert {q.text for q in found.qualities} == {"clever", "modest"}
