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
from generation.contexts import make_context
from generation.story.cast import cast_of
from generation.story.named_people import Names
from generation.types import Category, Citation, Claim, Context, CountedClaim, Label, Verdict
from tests.generation.novel import Found, passages

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
def context() -> Context:
    book = read(STORY.encode(), name="story.txt")
    annotations = make_resolver("native").annotate(book)
    return make_context(book, annotations=annotations)


def claim(text: str, context: Context, **more: object) -> Claim:
    people = Names(cast_of(context.book, context.annotations).annotations.characters).find(text)
    subject = people[0].character if people else None
    return Claim(text, Category.EVENT, 0, Span(0, len(text)), subject, people=people, **more)  # type: ignore[arg-type]


def judged(claims: Sequence[Claim], context: Context) -> list[Verdict]:
    return OfflineJudge().judge([evidence.gather(c, context=context, retriever=Found()) for c in claims])


def label(text: str, context: Context) -> Label:
    return judged([claim(text, context)], context)[0].label


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
def test_what_the_book_says_is_supported(text: str, context: Context) -> None:
    assert label(text, context) is Label.SUPPORTED


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
def test_what_it_does_not_say_is_not(text: str, context: Context) -> None:
    assert label(text, context) is not Label.SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "Anna is the mother of Mr. Harding.",
        "Captain Brook forgave Mr. Lister.",
        "Anna did not nurse Captain Brook.",
    ],
)
def test_the_contrary_is_contradicted(text: str, context: Context) -> None:
    assert label(text, context) is Label.CONTRADICTED


def test_a_verdict_shows_its_sentences(context: Context) -> None:
    verdict = judged([claim("Anna nursed Captain Brook.", context)], context)[0]
    shown = " ".join(context.book.slice(c.span) for c in verdict.evidence)
    assert "nursed" in shown
    assert {c.chapter for c in verdict.evidence} == {1}


def test_the_wrong_chapter_is_not_supported(context: Context) -> None:
    assert label("Anna nursed Captain Brook in chapter 2.", context) is Label.SUPPORTED
    assert label("Anna nursed Captain Brook in chapter 3.", context) is not Label.SUPPORTED


def cited_at(words: str, context: Context) -> tuple[Citation, ...]:
    match = re.search(r"\s+".join(map(re.escape, words.split())), context.book.text)
    assert match is not None
    return (Citation(Span(*match.span()), 0),)


def composed(text: str, context: Context, cited: str) -> Verdict:
    where = cited_at(cited, context)
    return judged([claim(text, context, citations=where, composed=True)], context)[0]


def test_a_composed_claim_is_looked_up_where_it_is_from(context: Context) -> None:
    cited = "Brook accused Mr. Lister of the theft."
    found = composed("Captain Brook accused Mr. Lister of the theft.", context, cited)
    assert found.label is Label.SUPPORTED
    assert ["accused" in context.book.slice(c.span) for c in found.evidence] == [True]


def test_nothing_is_searched_for_where_the_cited_sentence_holds(context: Context) -> None:
    where = cited_at("Brook accused Mr. Lister of the theft.", context)
    found = Found(passages(context.book))
    true = claim("Captain Brook accused Mr. Lister of the theft.", context, citations=where, composed=True)
    case = evidence.gather(true, context=context, retriever=found)
    assert (case.holds, case.found, case.passages, found.asked) == (True, (), (), [])
    turned = claim("Mr. Lister accused Captain Brook of the theft.", context, citations=where, composed=True)
    case = evidence.gather(turned, context=context, retriever=found)
    assert (case.holds, found.asked) == (False, [turned.text])
    assert case.cited
    assert case.evidence == (*case.cited, *case.found, *case.passages)


def test_nothing_is_searched_for_what_was_counted(context: Context) -> None:
    found = Found(passages(context.book))
    counted = claim("Anna appears in 3 chapters.", context, counted=CountedClaim("3", "3"))
    case = evidence.gather(counted, context=context, retriever=found)
    assert (case.evidence, found.asked) == ((), [])
    assert OfflineJudge().judge([case])[0].label is Label.SUPPORTED


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
def test_a_composed_claim_is_not_believed(text: str, cited: str, context: Context) -> None:
    assert composed(text, context, cited).label is not Label.SUPPORTED


def test_evidence_is_about_the_subject_first(context: Context) -> None:
    """Also with a pronoun: "she read to him" is about Anna."""
    read = claim("Anna read to Captain Brook.", context)
    first = evidence.gather(read, context=context, retriever=Found()).sentences[0]
    assert "read to him" in first.text
    assert first.told is not None
    assert read.subject in first.told.people


def test_nothing_past_the_gate_is_evidence(context: Context) -> None:
    upto = context.book.text.index("Chapter 3")
    book, annotations = cut(context.book, upto), gate(context.annotations, upto=upto)
    early = make_context(book, annotations=annotations, upto=upto)
    told = claim("Captain Brook proposed to Anna in the garden.", early)
    found = evidence.gather(told, context=early, retriever=Found(passages(context.book))).evidence
    assert found
    assert all(e.span.end <= upto for e in found)
    assert judged([told], early)[0].label is not Label.SUPPORTED


@pytest.mark.parametrize(
    "text",
    ["", " ", "?!", "Anna", "安娜拒绝了那只表。", "Анна отказалась.", "Anna " * 20_000, "x" * 99_999, "\0"],
    ids=["empty", "blank", "marks", "name", "chinese", "russian", "many", "huge", "control"],
)  # fmt: skip
def test_any_text_gets_a_verdict_and_never_support(text: str, context: Context) -> None:
    verdict = judged([claim(text, context)], context)[0]
    assert verdict.label in (Label.UNSUPPORTED, Label.UNCERTAIN)
    assert 0 <= verdict.score <= 1


def test_a_text_about_another_book_is_not_supported(context: Context) -> None:
    texts = ["Elizabeth Bennet refuses Mr. Collins.", "Ishmael signs on to the Pequod.", "He sold the whale."]
    assert {label(text, context) for text in texts} <= {Label.UNSUPPORTED, Label.UNCERTAIN}


def test_claims_are_judged_alike_alone_and_together(context: Context) -> None:
    texts = ["Anna nursed Captain Brook.", "", "Captain Brook nursed Anna.", "Anna is proud."]
    together = judged([claim(t, context) for t in texts], context)
    assert [v.label for v in together] == [label(t, context) for t in texts]
