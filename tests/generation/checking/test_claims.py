from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from time import process_time

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from books.types import Book, Span
from coref.errors import ResolverUnavailable
from coref.language.parsed_sentence import ParsedSentence
from coref.language.syntax import ROOT, Parse
from coref.protocols import ParsesText
from coref.types import Annotations
from generation.checking.claims.bundled_parser import Parser
from generation.checking.claims.clause_splitting import clauses
from generation.checking.claims.offline_extractor import OfflineExtractor
from generation.checking.reference_comparison import drafted
from generation.contexts import make_context
from generation.types import Category, Citation, Claim, Context, Draft, Sentence, StatedFact


@pytest.fixture(scope="module")
def context(harbour: tuple[Book, Annotations]) -> Context:
    book, annotations = harbour
    return make_context(book, annotations=annotations, people=["bess"])


def extract(draft: Draft, context: Context) -> list[Claim]:
    return OfflineExtractor().extract(draft, context).claims


def claims_of(text: str, context: Context) -> list[Claim]:
    return extract(Draft((Sentence(text, ()),)), context)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Bess saved the Captain and left.", ["Bess saved the Captain.", "Bess left."]),
        ("She married Tom, but he ran.", ["Bess Farrow married Tom.", "He ran."]),
        ("Bess is proud, vain and kind.", ["Bess is proud.", "Bess is vain.", "Bess is kind."]),
        ("In the end she saved him.", ["In the end Bess Farrow saved him."]),
        ("Bess most often dined with Lydia.", ["Bess most often dined with Lydia."]),
        ("Her brother stayed.", ["Bess Farrow’s brother stayed."]),
        (
            "Captain Crane, a proud old sailor, was dismissed and ruined by the Board.",
            ["Captain Crane, a proud old sailor, was dismissed.", "Captain Crane was ruined by the Board."],
        ),
        (
            "Tom is the brother of Bess, whom Captain Crane dislikes.",
            ["Tom is the brother of Bess, whom Captain Crane dislikes."],
        ),
        ("Lydia, rich and clever, married Tom.", ["Lydia, rich and clever, married Tom."]),
        ("Tom is not rich or clever.", ["Tom is not rich or clever."]),
        (
            "He had deceived the Board and hidden the log.",
            ["He had deceived the Board.", "He had hidden the log."],
        ),
        (
            "Bess was caught, beaten and is afraid.",
            ["Bess was caught.", "Bess was beaten.", "Bess is afraid."],
        ),
        ("Bess visited Tom and Lydia.", ["Bess visited Tom and Lydia."]),
        ("Bess decided between Tom and Lydia.", ["Bess decided between Tom and Lydia."]),
        (
            "Because Tom lied, Bess left when Lydia came.",
            ["Because Tom lied, Bess left when Lydia came."],
        ),
        ("A clever young clerk.", ["A clever young clerk."]),
        ("", []),
    ],
)
def test_a_text_is_split_into_claims_that_stand_alone(text: str, claims: list[str], context: Context) -> None:
    assert [c.text for c in claims_of(text, context)] == claims


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Bess is the senior clerk.", Category.ROLE),
        ("Bess is the sister of Tom.", Category.RELATIONSHIP),
        ("Bess married Tom.", Category.RELATIONSHIP),
        ("Bess is generous.", Category.PERSONALITY),
        ("Bess saved the ship.", Category.EVENT),
        ("Bess feared the Captain.", Category.MENTAL_STATE),
        ("Bess was ashamed.", Category.MENTAL_STATE),
        ("Bess is tall.", Category.OTHER),
    ],
)
def test_categories_are_those_that_readers_give(text: str, category: Category, context: Context) -> None:
    assert [c.category for c in claims_of(text, context)] == [category]


def test_a_claim_knows_its_subject_its_people_and_its_place(context: Context) -> None:
    sentence = "Tom Farrow left. Captain Crane told Bess and resigned."
    cited = (Citation(context.book.paragraphs[1].span, 0),)
    claims = extract(Draft((Sentence(sentence, cited),)), context)
    assert [c.subject for c in claims] == ["tom", "crane", "crane"]
    assert [n.character for n in claims[1].people] == ["crane", "bess"]
    assert claims[1].people[1].span.of(claims[1].text) == "Bess"
    assert [c.span.of(sentence) for c in claims] == ["Tom Farrow left", "Captain Crane told Bess", "resigned"]
    assert all(c.citations == cited for c in claims)


def test_a_pronoun_means_whom_the_text_is_about_unless_another_acts_before_it(context: Context) -> None:
    text = "Bess dislikes Lydia. She saves Captain Crane, and he thanks her for it. Tom loves his wife."
    assert [(c.text, c.subject) for c in claims_of(text, context)] == [
        ("Bess dislikes Lydia.", "bess"),
        ("Bess Farrow saves Captain Crane.", "bess"),
        ("He thanks Bess Farrow for it.", None),
        ("Tom loves his wife.", "tom"),
    ]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Lydia dislikes Bess. She left.", [("Lydia dislikes Bess.", "lydia"), ("She left.", None)]),
        ("Lydia stole and she ran.", [("Lydia stole.", "lydia"), ("She ran.", None)]),
        ("Lydia loves her house.", [("Lydia loves her house.", "lydia")]),
        ("Lydia saw her.", [("Lydia saw Bess Farrow.", "lydia")]),
        ("Ishmael sold her house.", [("Ishmael sold her house.", None)]),
        ("Tom is a thief. He stole a log.", [("Tom is a thief.", "tom"), ("He stole a log.", None)]),
        ("When Bess came she wept.", [("When Bess came she wept.", "bess")]),
    ],
)
def test_who_acts_before_a_pronoun_may_be_meant(
    text: str, claims: list[tuple[str, str | None]], context: Context
) -> None:
    assert [(c.text, c.subject) for c in claims_of(text, context)] == claims


def test_whom_a_pronoun_of_the_claim_means_is_known(context: Context) -> None:
    claim = claims_of("She left. Her brother stayed.", context)[1]
    assert [(n.character, n.span.of(claim.text)) for n in claim.people] == [("bess", "Bess Farrow")]


@pytest.mark.parametrize("text", ["Dickens pities her.", "Italy changed her.", "In Plymouth she recovers."])
def test_what_else_has_a_name_is_nobody(text: str, context: Context) -> None:
    assert [
        n.span.of(c.text) for c in claims_of(text, context) for n in c.people if n.character == "bess"
    ] == ["Bess Farrow"]


def test_a_pronoun_that_can_mean_several_is_left_as_it_is(harbour: tuple[Book, Annotations]) -> None:
    both = make_context(harbour[0], annotations=harbour[1], people=["bess", "lydia"])
    assert [c.text for c in claims_of("She told him of her dream.", both)] == ["She told him of her dream."]


def test_people_of_another_book_are_not_taken_for_ours(context: Context) -> None:
    claims = claims_of("Ahab hunts the whale. He loses his leg to it. Ishmael survives.", context)
    assert [(c.text, c.subject, c.people) for c in claims] == [
        ("Ahab hunts the whale.", None, ()),
        ("He loses his leg to it.", None, ()),
        ("Ishmael survives.", None, ()),
    ]


def test_a_text_in_another_language_is_taken_sentence_by_sentence(context: Context) -> None:
    text = (
        "Elle est partie pour la ville avec son frère et sa mère qui étaient malades depuis des mois. "
        "Le capitaine ne l’aimait pas et il la regardait toujours avec une grande méfiance dans les yeux."
    )
    parser = Forbidden()
    found = OfflineExtractor(parser).extract(Draft((Sentence(text, ()),)), context)
    assert len(found.claims) == 2
    assert not parser.asked


class Forbidden:
    """A parser that must not be used."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> ParsesText:
        self.asked += 1
        raise ResolverUnavailable("The weights of the native resolver are missing.")


def test_without_a_parser_a_sentence_is_a_claim_and_it_is_said(
    context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("WARNING")
    draft = Draft((Sentence("Bess saved the Captain. She left her house [2].", ()),))
    found = OfflineExtractor(Forbidden()).extract(draft, context)
    assert [(c.text, c.subject) for c in found.claims] == [
        ("Bess saved the Captain.", "bess"),
        ("She left her house.", "bess"),
    ]
    told = found.claims[1]
    assert [(n.character, n.span.of(told.text)) for n in told.people] == [("bess", "She"), ("bess", "her")]
    assert ResolverUnavailable.plain in found.notes[0]
    assert "weights of the native resolver are missing" in caplog.text


class Counting:
    """Reports how many threads it was given."""

    def parse_text(self, text: str) -> Parse:
        self.threads = torch.get_num_threads()
        return Parse([], [], [], [], [], [], [], [])


def test_what_is_short_is_parsed_in_one_thread() -> None:
    def counted(text: str) -> int:
        torch.set_num_threads(2)
        counting = Counting()
        Parser(counting).parse_text(text)
        return counting.threads

    with ThreadPoolExecutor(1) as apart:  # the limit belongs to the thread
        assert apart.submit(counted, "Bess left.").result() == 1
        assert apart.submit(counted, "Bess left. " * 500).result() == 2


def test_what_a_writer_states_is_passed_through_and_nothing_is_parsed(context: Context) -> None:
    here = Citation(context.book.paragraphs[1].span, 0)
    stated = (
        StatedFact("Bess Farrow is brown.", Category.OTHER, Span(0, 12), "bess", (), (here,)),
        StatedFact("She was brown.", Category.OTHER, Span(0, 12), "bess", (), (here,), quoted=True),
        StatedFact("She most often dined out.", Category.EVENT, Span(17, 45), "bess", quoted=True),
    )
    text = "She is brown and “most often dined out.”"
    parser = Forbidden()
    draft = Draft((Sentence(text, (), stated=stated),))
    first, second, third = OfflineExtractor(parser).extract(draft, context).claims
    assert (first.text, first.quoted, first.citations) == ("Bess Farrow is brown.", False, (here,))
    assert (second.text, second.quoted) == ("She was brown.", True)
    assert third.text == "She most often dined out."
    assert not parser.asked


@pytest.mark.parametrize(
    "piece",
    [
        pytest.param(p, marks=pytest.mark.soak)
        for p in ("Bess saved Tom and left. ", "[", "word ", "“", "and ")
    ],
)
def test_twenty_thousand_words_take_seconds(piece: str, context: Context) -> None:
    """Processor time: quadratic work would take minutes."""
    draft = drafted(piece * (100_000 // len(piece)))
    start = process_time()
    found = OfflineExtractor().extract(draft, context)
    assert process_time() - start < 5
    if "Bess" in piece:
        assert len(found.claims) > 1_500
        assert found.notes


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet="aBess TomHe,.;and is was the proud\n“”", max_size=120))
def test_any_text_gives_claims_inside_it(context: Context, text: str) -> None:
    for claim in claims_of(text, context):
        assert claim.text
        assert 0 <= claim.span.start < claim.span.end <= len(text)


def test_any_tree_gives_clauses() -> None:
    rng = random.Random(5)
    text = "Bess , whom Tom loves and marries ; she is the sister of Lydia , a friend , liked by all"
    words = text.split()
    starts = [0, *accumulate(len(w) + 1 for w in words)][:-1]
    relations = (
        "nsubj",
        "obj",
        "conj",
        "appos",
        "acl:relcl",
        "advcl",
        "cc",
        "det",
        "obl",
        "parataxis",
        "cop",
    )
    for _ in range(300):
        order = rng.sample(range(len(words)), len(words))
        heads = [ROOT] * len(words)
        for at, word in enumerate(order[1:], 1):
            heads[word] = rng.choice(order[:at])
        parse = Parse(
            starts=starts,
            ends=[s + len(w) for s, w in zip(starts, words, strict=True)],
            sentences=[(0, len(words))],
            tags=rng.choices(("NOUN", "PROPN", "VERB", "ADJ", "PRON", "PUNCT", "CCONJ", "DET"), k=len(words)),
            lemmas=words,
            heads=heads,
            relations=rng.choices(relations, k=len(words)),
            events=[False] * len(words),
        )
        for found in clauses(ParsedSentence(text, parse, 0, len(words))):
            assert set(found.own) <= set(found.words)
            assert found.own
