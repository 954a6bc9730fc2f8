"""The offline judge on a book with a parse: who did what to whom, and which statements are not asserted."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from books.gate import cut
from books.reading import read
from books.types import Span
from coref.gate import gate
from coref.registry import make_resolver
from generation.checking import evidence
from generation.checking.judges.offline_judge import OfflineJudge
from generation.checking.judges.parsed_evidence import ParsedEvidence
from generation.story.cast import cast_of
from generation.story.named_people import Names
from generation.types import Category, Citation, Claim, Evidence, Label, Prompt, Task, Verdict
from generation.writing.prompts import make_prompt

STORY = """Chapter 1

Miss Anna Harding was the daughter of Mr. Harding, and she lived with her father at Fernley. Anna
was proud and clever. Mr. Harding was a physician, and Anna was fond of him.

Captain Brook came to Fernley in the spring. Captain Brook admired Anna, and he gave Anna a silver
watch. Anna refused the watch, but she kept the letter of Captain Brook.

Chapter 2

Mr. Lister was the cousin of Captain Brook. Mr. Lister stole the silver watch, and he sold it in
London. Captain Brook accused Mr. Lister of the theft. Mr. Lister was forgiven by Anna.

Captain Brook did not forgive Mr. Lister. Captain Brook fell ill with a fever. Anna nursed Captain
Brook, and she read to him every day.

Chapter 3

Captain Brook proposed to Anna in the garden. Anna accepted Captain Brook. They were married in
June, and Mr. Lister danced at the wedding.
"""


@pytest.fixture(scope="module")
def prompt() -> Prompt:
    book = read(STORY.encode(), name="story.txt")
    annotations = make_resolver("native").annotate(book)
    return make_prompt(book, task=Task.DESCRIPTION, annotations=annotations, characters=())


def claim(text: str, prompt: Prompt, **more: object) -> Claim:
    people = Names(cast_of(prompt.book, prompt.annotations).annotations.characters).find(text)
    subject = people[0].character if people else None
    return Claim(text, Category.EVENT, 0, Span(0, len(text)), subject, people=people, **more)  # type: ignore[arg-type]


def judged(claims: Sequence[Claim], prompt: Prompt) -> list[Verdict]:
    found = [evidence.gather(c, prompt=prompt, passages=[]) for c in claims]
    return OfflineJudge().judge(claims, found)


def label(text: str, prompt: Prompt) -> Label:
    return judged([claim(text, prompt)], prompt)[0].label


@pytest.mark.parametrize(
    "text",
    [
        "Anna is the daughter of Mr. Harding.",
        "Mr. Harding is the father of Anna.",
        "Mr. Lister is the cousin of Captain Brook.",
        "Anna is proud.",
        "Mr. Harding is a physician.",
        "Captain Brook admired Anna.",
        "Anna was admired by Captain Brook.",
        "Anna forgave Mr. Lister.",
        "Mr. Lister sold the watch in London.",
        "Anna nursed Captain Brook.",
    ],
)
def test_what_the_book_says_is_supported(text: str, prompt: Prompt) -> None:
    assert label(text, prompt) is Label.SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Harding is the daughter of Anna.",
        "Anna is the mother of Mr. Harding.",
        "Mr. Lister is the brother of Captain Brook.",
        "Anna admired Mr. Lister.",
        "Captain Brook is a physician.",
        "Captain Brook nursed Anna.",
        "Captain Brook stole the silver watch.",
        "Captain Brook forgave Mr. Lister.",
        "Anna did not nurse Captain Brook.",
        "Mr. Lister accused Captain Brook of the theft.",
        "Captain Brook sailed to India.",
        "Zebulon Quirk admired Anna.",
        "Captain Brook fell ill because Anna refused the watch.",
        "Captain Brook proposed to Anna before he gave Anna a silver watch.",
    ],
)
def test_what_it_does_not_say_is_not(text: str, prompt: Prompt) -> None:
    assert label(text, prompt) is not Label.SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "Anna is the mother of Mr. Harding.",
        "Captain Brook forgave Mr. Lister.",
        "Anna did not nurse Captain Brook.",
    ],
)
def test_the_contrary_is_contradicted(text: str, prompt: Prompt) -> None:
    assert label(text, prompt) is Label.CONTRADICTED


def test_a_verdict_shows_its_sentences(prompt: Prompt) -> None:
    verdict = judged([claim("Anna nursed Captain Brook.", prompt)], prompt)[0]
    shown = " ".join(prompt.book.slice(c.span) for c in verdict.evidence)
    assert "nursed" in shown
    assert {c.chapter for c in verdict.evidence} == {1}


def test_the_wrong_chapter_is_not_supported(prompt: Prompt) -> None:
    assert label("Anna nursed Captain Brook in chapter 2.", prompt) is Label.SUPPORTED
    assert label("Anna nursed Captain Brook in chapter 3.", prompt) is not Label.SUPPORTED


def composed(text: str, prompt: Prompt, cited: str) -> Verdict:
    match = re.search(r"\s+".join(map(re.escape, cited.split())), prompt.book.text)
    assert match is not None
    where = (Citation(Span(*match.span()), 0),)
    return judged([claim(text, prompt, citations=where, composed=True)], prompt)[0]


def test_a_composed_claim_is_looked_up_where_it_is_from(prompt: Prompt) -> None:
    cited = "Brook accused Mr. Lister of the theft."
    found = composed("Captain Brook accused Mr. Lister of the theft.", prompt, cited)
    assert found.label is Label.SUPPORTED
    assert ["accused" in prompt.book.slice(c.span) for c in found.evidence] == [True]


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Mr. Lister accused Captain Brook of the theft.", "Brook accused Mr. Lister of the theft."),
        ("Captain Brook forgave Mr. Lister.", "Captain Brook did not forgive Mr. Lister."),
        ("Anna did not nurse Captain Brook.", "Anna nursed Captain Brook"),
        ("Mr. Harding nursed Captain Brook.", "Anna nursed Captain Brook"),
        ("Anna poisoned Captain Brook.", "Anna nursed Captain Brook"),
        ("Anna nursed Captain Brook with herbs and wine.", "Captain Brook admired Anna"),
    ],
)
def test_a_composed_claim_is_not_believed(text: str, cited: str, prompt: Prompt) -> None:
    assert composed(text, prompt, cited).label is not Label.SUPPORTED


def test_evidence_is_about_the_subject_first(prompt: Prompt) -> None:
    """Also with a pronoun: "she read to him" is about Anna."""
    found = evidence.gather(claim("Anna read to Captain Brook.", prompt), prompt=prompt, passages=[])
    assert isinstance(found[0], ParsedEvidence)
    assert "read to him" in found[0].text
    assert found[0].told is not None
    assert claim("Anna.", prompt).subject in found[0].told.people


def test_nothing_past_the_gate_is_evidence(prompt: Prompt) -> None:
    upto = prompt.book.text.index("Chapter 3")
    book, annotations = cut(prompt.book, upto), gate(prompt.annotations, upto=upto)
    early = make_prompt(book, task=Task.DESCRIPTION, annotations=annotations, characters=(), upto=upto)
    told = claim("Captain Brook proposed to Anna in the garden.", early)
    found: list[Evidence] = evidence.gather(told, prompt=early, passages=[])
    assert all(e.span.end <= upto for e in found)
    assert judged([told], early)[0].label is not Label.SUPPORTED


@pytest.mark.parametrize(
    "text",
    ["", " ", "?!", "Anna", "安娜拒绝了那只表。", "Анна отказалась.", "Anna " * 20_000, "x" * 99_999, "\0"],
    ids=["empty", "blank", "marks", "name", "chinese", "russian", "many", "huge", "control"],
)  # fmt: skip
def test_any_text_gets_a_verdict_and_never_support(text: str, prompt: Prompt) -> None:
    verdict = judged([claim(text, prompt)], prompt)[0]
    assert verdict.label in (Label.UNSUPPORTED, Label.UNCERTAIN)
    assert 0 <= verdict.score <= 1


def test_a_text_about_another_book_is_not_supported(prompt: Prompt) -> None:
    texts = ["Elizabeth Bennet refuses Mr. Collins.", "Ishmael signs on to the Pequod.", "He sold the whale."]
    assert {label(text, prompt) for text in texts} <= {Label.UNSUPPORTED, Label.UNCERTAIN}


def test_claims_are_judged_alike_alone_and_together(prompt: Prompt) -> None:
    texts = ["Anna nursed Captain Brook.", "", "Captain Brook nursed Anna.", "Anna is proud."]
    together = judged([claim(t, prompt) for t in texts], prompt)
    assert [v.label for v in together] == [label(t, prompt) for t in texts]
