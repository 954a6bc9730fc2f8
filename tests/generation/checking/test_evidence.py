"""Which sentences are found for a claim, and how they are written for the head."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.gate import cut
from books.types import Book, Span
from coref import doubtful_people
from coref.gate import gate
from coref.types import Annotations
from generation.checking import evidence
from generation.checking.entailment.pair_encoding import OF_CLAIM, PIECES, encode
from generation.checking.entailment.sentence_search import claim_terms, search_of
from generation.checking.entailment.written_evidence import names_for, written_claim, written_evidence
from generation.checking.types import Evidence
from generation.contexts import make_context
from generation.story.cast import cast_of
from generation.story.named_people import Names
from generation.types import Category, Citation, Claim, Context, NamedSpan
from tests.generation.novel import Found, passages, story

MARKED = """# One

[Bess|bess] came by the morning train. [She|bess] carried a lantern, and [Tom|tom] met [her|bess] at the
harbour.

{tom>bess:“[I|tom] never forgave [him|crane],”} [he|tom] said.

# Two

[Captain Crane|crane] lost the ship. [Bess|bess] pulled [him|crane] from the water with a lantern in
[her|bess] hand.
"""


@pytest.fixture(scope="module")
def told() -> tuple[Book, Annotations]:
    return story(MARKED, bess="Bess Farrow/she", tom="Tom Farrow/he", crane="Captain Crane/he")


@pytest.fixture(scope="module")
def context(told: tuple[Book, Annotations]) -> Context:
    return make_context(told[0], annotations=told[1])


def claim(text: str, context: Context, subject: str | None = None) -> Claim:
    people = Names(context.annotations.characters).find(text)
    about = subject or (people[0].character if people else None)
    return Claim(text, Category.EVENT, 0, Span(0, len(text)), about, people=people)


def found(text: str, context: Context) -> list[Evidence]:
    return list(evidence.in_book(claim(text, context), context=context).found)


def test_a_sentence_with_a_pronoun_is_found_by_whom_it_means(context: Context) -> None:
    first, *_ = found("Bess carried a lantern.", context)
    assert first.text.startswith("She carried a lantern")
    assert (first.words, first.certainty) == (1.0, 1.0)


def test_a_pronoun_of_a_doubtful_person_is_uncertain(
    told: tuple[Book, Annotations], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doubtful_people, "MANY", 1)
    book, annotations = told
    doubted = make_context(book, annotations=replace(annotations))  # what is kept of a book is not shared
    by_pronoun, *_ = found("Bess carried a lantern.", doubted)
    by_name, *_ = found("Bess came by the morning train.", doubted)
    assert (by_pronoun.certainty, by_name.certainty) == (pytest.approx(0.6), 1.0), "for the name beside it"


def test_the_people_decide_between_sentences_with_the_same_words(context: Context) -> None:
    assert found("Captain Crane was near the lantern.", context)[0].chapter == 1


def test_names_are_not_among_the_words(context: Context) -> None:
    assert claim_terms(claim("Bess Farrow met Tom Farrow at the harbour.", context)) == ["meet", "harbour"]


def test_a_name_that_the_book_has_not_got_so_far_is_strange(context: Context) -> None:
    def strange(text: str, told: Context) -> bool:
        return evidence.in_book(claim(text, told), context=told).strange

    book, annotations = context.book, context.annotations
    upto = book.end_of_chapter(1)
    early = make_context(cut(book, upto), annotations=gate(annotations, upto=upto), upto=upto)
    pulled = "Bess met Tom and pulled the Captain from the water."
    assert (strange(pulled, context), strange(pulled, early)) == (False, True)
    assert strange("Bess met Napoleon. She carried a lantern.", context)
    assert not strange("Lanterns were carried by Bess.", context), "any word begins a sentence with a capital"
    bess, *others = annotations.characters
    renamed = make_context(
        book, annotations=replace(annotations, characters=(replace(bess, name="Beth"), *others))
    )
    assert not strange("By train came Beth.", renamed), "a reader named her so"


def test_what_is_cited_comes_first_and_only_once(context: Context) -> None:
    carried = claim("Bess carried a lantern.", context)
    at = context.book.text.index("Captain Crane lost the ship.")
    cited = Citation(Span(at, at + len("Captain Crane lost the ship.")), 1)
    case = evidence.gather(
        Claim(carried.text, carried.category, 0, carried.span, "bess", citations=(cited,)),
        context=context,
        retriever=Found(passages(context.book)),
    )
    assert case.evidence[0].text == "Captain Crane lost the ship."
    spans = [e.span for e in (*case.cited, *case.found)]
    assert len(spans) == len(set(spans))
    assert case.passages


def test_nothing_past_the_gate_is_evidence(told: tuple[Book, Annotations]) -> None:
    upto = told[0].text.index("# Two")
    early = make_context(cut(told[0], upto), annotations=gate(told[1], upto=upto), upto=upto)
    lost = claim("Captain Crane lost the ship.", early)
    case = evidence.gather(lost, context=early, retriever=Found(passages(told[0])))
    assert all(e.span.end <= upto for e in case.evidence)


def test_a_book_without_sentences_has_no_evidence() -> None:
    book, annotations = story("# One\n")
    empty = make_context(book, annotations=annotations)
    assert evidence.in_book(claim("Bess left.", empty), context=empty).evidence == ()


def test_the_subject_stands_out_from_other_people(context: Context) -> None:
    search = search_of(cast_of(context.book, context.annotations))
    right = search.signs(claim("Captain Crane lost the ship.", context))
    wrong = search.signs(claim("Tom lost the ship.", context))
    assert right.subject_words > right.rival_words
    assert wrong.subject_words < wrong.rival_words


def test_people_are_written_by_plain_names(context: Context) -> None:
    pulled = claim("Bess pulled Captain Crane from the water.", context)
    names = names_for(pulled)
    assert written_claim(pulled, names) == "Alex pulled Sam from the water."
    first = next(e for e in found(pulled.text, context) if "pulled" in e.text)
    assert written_evidence(first, names) == "Alex pulled Sam from the water with a lantern in Alex hand."


def test_a_speaker_stands_before_the_words(context: Context) -> None:
    forgave = claim("Tom never forgave Captain Crane.", context)
    spoken = next(e for e in found(forgave.text, context) if "never" in e.text)
    assert written_evidence(spoken, names_for(forgave)).startswith("Alex says: “Alex never forgave Sam,”")


def test_a_phrase_stays_and_gets_the_name() -> None:
    text = "The old man smiled at his daughter."
    old = Evidence(Span(0, len(text)), 0, text.lower(), named=(NamedSpan(Span(0, 11), "crane"),))
    assert written_evidence(old, {"crane": "Alex"}) == "the old man (Alex) smiled at his daughter."


def test_a_pair_has_room_for_claim_and_sentences(context: Context) -> None:
    long = Evidence(Span(0, 3_000), 0, "the sea " * 200 + "a lantern " + "the sea " * 200, named=())
    pair = encode(claim("Bess carried a lantern. " * 40, context), [long] * 9)
    assert len(pair.pieces) <= PIECES
    assert pair.claim == OF_CLAIM + 2
    assert all(a < b <= len(pair.pieces) for a, b in pair.sentences)


def test_a_long_sentence_is_shown_where_it_has_the_words_of_the_claim(context: Context) -> None:
    carried = claim("Bess carried a lantern.", context)
    long = Evidence(Span(0, 3_000), 0, "the sea " * 200 + "a lantern " + "the sea " * 200, named=())
    pair = encode(carried, [long])
    (start, end), lantern = pair.sentences[0], encode(carried, []).pieces[-3]
    assert lantern in pair.pieces[start:end]
