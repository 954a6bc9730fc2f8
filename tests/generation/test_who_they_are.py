"""Who somebody is and what like: every pattern with what it must see, and what it must leave alone."""

from __future__ import annotations

from itertools import pairwise

import pytest

from books.types import Book
from coref.types import Annotations
from generation import portraits
from generation.offline.composer import OfflineGenerator
from generation.prompts import make_prompt
from generation.registry import make_judge
from generation.types import Draft, Label, Limits, Task
from tests.generation.story import story

PEOPLE = {"jane": "Jane Pratt/she", "tom": "Tom Pratt/he", "ann": "Ann Lee/she"}


def write(told: tuple[Book, Annotations], who: str, *, words: int = 90) -> Draft:
    book, annotations = told
    prompt = make_prompt(book, task=Task.DESCRIPTION, annotations=annotations, characters=[who])
    return OfflineGenerator().generate([prompt], Limits(words=words))[0]


def said(marked: str, who: str) -> str:
    return write(story(f"# One\n\n{marked}\n\n# Two\n\nThe end.\n", **PEOPLE), who).text


@pytest.mark.parametrize(
    ("marked", "phrase"),
    [
        ("The old harbour-master, [Tom|tom], slept.", "is the old harbour-master"),
        ("[Tom|tom] served as clerk in the town.", "is a clerk"),
        ("Yours,\n[Tom Pratt|tom], Clerk.", "is a clerk"),
        ("[Tom|tom] had been a lamplighter for thirty years.", "is a lamplighter"),
        ("[Tom|tom], a tall man of forty, slept.", "is described as a tall man of forty"),
        ("[Tom|tom] was nineteen.", "is nineteen"),
        ("[Tom|tom] came from Plymouth.", "came from Plymouth"),
        ("[Tom|tom], clever, vain and rich, slept.", "is clever, vain and rich"),
        ("[Tom|tom] had a mild, generous temper.", "has a mild, generous temper"),
        ("[Tom|tom] was mild, and not tall, and vain.", "is mild, and not tall, and vain"),
    ],
)
def test_what_the_book_says_somebody_is(marked: str, phrase: str) -> None:
    assert phrase in said(marked, "tom")


@pytest.mark.parametrize(
    ("marked", "never"),
    [
        ("If [Tom|tom] was a clerk, nobody knew.", "clerk"),
        ("[Tom|tom] was stupid with pain and slow with fear.", "stupid"),
        ("[Tom|tom] was a good judge of horses.", "is a good judge"),
        ("[I|tom] should have fled in terror and left [my|tom] work undone.", "undone"),
        ("[Ann|ann] made [her|jane] drink a dose of salts.", "Jane Pratt’s drink"),
    ],
)
def test_what_the_book_does_not_say(marked: str, never: str) -> None:
    assert never not in said(marked, "tom") + said(marked, "ann")


def test_what_is_done_to_somebody_is_told_with_who_did_it() -> None:
    text = said("[Tom|tom] lived in the town. [Ann|ann] dismissed [him|tom].", "tom")
    assert "Ann Lee dismissed him" in text
    assert text.startswith("In chapter 1, Tom Pratt lived") or text.startswith("Tom Pratt")


def test_what_is_counted_shows_where_the_name_first_stands() -> None:
    told = story("# One\n\nIt rained. [Tom|tom] came.\n\n# Two\n\n[He|tom] went.\n", **PEOPLE)
    counted = next(s for s in write(told, "tom").sentences if "appears" in s.text)
    assert [told[0].slice(c.span) for c in counted.citations] == ["Tom came."]


def test_a_chapter_never_opens_two_sentences_in_a_row(harbour: tuple[Book, Annotations]) -> None:
    openings = [s.text.split()[0] == "In" for s in write(harbour, "bess", words=300).sentences]
    assert not any(one and other for one, other in pairwise(openings))


def test_what_it_says_stands_up_to_the_judge() -> None:
    told = story(
        "# One\n\n[Tom|tom], clever, vain and rich, was a tall man of forty. [Tom|tom] had a mild temper. "
        "[Ann|ann], who lived near, refused [him|tom].\n\n# Two\n\n[Tom’s|tom] pride hurt [Ann|ann].\n",
        **PEOPLE,
    )
    book, annotations = told
    for who in ("tom", "ann"):
        prompt = make_prompt(book, task=Task.DESCRIPTION, annotations=annotations, characters=[who])
        facts = portraits.check(
            write(told, who), prompt=prompt, judge=make_judge("offline"), evidence_for=lambda claim: []
        )
        assert [f.claim.text for f in facts if f.verdict.label is not Label.SUPPORTED] == []
