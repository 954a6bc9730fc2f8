"""Compare an answer with a reference text: which facts support each other, and what does not count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from books.types import Book
from coref.types import Annotations
from generation.checking.claims.offline_extractor import OfflineExtractor
from generation.checking.protocols import Extracted, Judged
from generation.checking.reference_comparison import LONGEST, compare, drafted, spans
from generation.checking.types import Case
from generation.contexts import make_context
from generation.registry import make_judge
from generation.types import (
    Category,
    Compared,
    Context,
    Draft,
    Label,
    Reference,
    Verdict,
)

SAID = (
    "Bess Farrow is the senior clerk. She saved Captain Crane from the water. "
    "She is the sister of Tom Farrow. Bess flew to the moon on a zeppelin."
)
WROTE = (
    "Bess Farrow is Tom Farrow’s sister. She saved Captain Crane from the water. "
    "Bess Farrow never forgave Lydia."
)


def beside(told: tuple[Book, Annotations], said: str, text: str, judge: object = None) -> Reference:
    context = make_context(told[0], annotations=told[1], people=["bess"])
    draft = drafted(said)
    claims = OfflineExtractor().extract(draft, context).claims
    return compare(
        draft.sentences,
        claims,
        text=text,
        source="somebody",
        context=context,
        judge=judge or make_judge("offline"),  # type: ignore[arg-type]
        extractor=OfflineExtractor(),
    )[0]


def test_each_text_is_the_evidence_for_the_other(port: tuple[Book, Annotations]) -> None:
    found = beside(port, SAID, WROTE)
    assert found.source == "somebody"
    assert found.whole == Compared(borne_out=2, said=4, found=2, wanted=3)
    assert (found.whole.precision, found.whole.recall) == (0.5, 2 / 3)
    assert found.whole.f1 == pytest.approx(2 * 0.5 * (2 / 3) / (0.5 + 2 / 3))


def test_categories_add_up(port: tuple[Book, Annotations]) -> None:
    found = beside(port, SAID, WROTE)
    for name in Compared.__slots__:
        assert sum(getattr(c, name) for c in found.by_category.values()) == getattr(found.whole, name)
    assert found.by_category[Category.RELATIONSHIP] == Compared(1, 1, 1, 1)
    assert found.by_category[Category.ROLE] == Compared(0, 1, 0, 0)
    assert Category.OTHER not in found.by_category


def test_a_text_beside_itself_is_all_borne_out(port: tuple[Book, Annotations]) -> None:
    text = "Bess Farrow saved Captain Crane from the water. She wrote to Mr. Nuttall."
    assert beside(port, text, text).whole == Compared(2, 2, 2, 2)


def test_a_text_about_somebody_else_bears_nothing_out(port: tuple[Book, Annotations]) -> None:
    other = "Tom Farrow married Lydia Sand in the spring. Lydia Sand loved Tom Farrow."
    whole = beside(port, SAID, other).whole
    assert (whole.borne_out, whole.found) == (0, 0)


def test_nothing_to_compare_gives_no_share(port: tuple[Book, Annotations]) -> None:
    found = beside(port, "", WROTE)
    assert (found.whole.precision, found.whole.recall, found.whole.f1) == (None, 0.0, None)


class Watcher:
    """A judge that records what it is asked, and supports everything."""

    name = "watcher/1"

    def __init__(self) -> None:
        self.cases: list[Case] = []

    def judge(self, cases: Sequence[Case]) -> Judged:
        self.cases += cases
        return Judged([Verdict(Label.SUPPORTED, 1.0, (), self.name) for _ in cases])


def test_what_the_writer_knows_is_no_evidence(port: tuple[Book, Annotations]) -> None:
    watcher = Watcher()

    class Knowing:
        name = "knowing"

        def extract(self, draft: Draft, context: Context) -> Extracted:
            made = [replace(c, quoted=True) for c in OfflineExtractor().extract(draft, context).claims]
            return Extracted(made, ("read aloud",))

    context = make_context(port[0], annotations=port[1], people=["bess"])
    draft = drafted(SAID)
    claims = Knowing().extract(draft, context).claims
    _, notes = compare(
        draft.sentences, claims, text=WROTE, source="s", context=context, judge=watcher, extractor=Knowing()
    )  # fmt: skip
    assert notes == ("read aloud",)
    assert watcher.cases
    for claim in (case.claim for case in watcher.cases):
        assert (claim.quoted, claim.citations) == (False, ())


def test_evidence_says_who_is_meant(port: tuple[Book, Annotations]) -> None:
    watcher = Watcher()
    beside(port, SAID, WROTE, watcher)
    saved = watcher.cases[1]
    assert saved.claim.text == "Bess Farrow saved Captain Crane from the water."
    told = next(e for e in saved.evidence if e.text.startswith("She"))
    assert told.named is not None
    named = [
        (told.text[n.span.start - told.span.start : n.span.end - told.span.start], n.character)
        for n in told.named
    ]
    assert named == [("She", "bess"), ("Captain Crane", "crane")]


@given(
    st.text("ab .!?\n“A", max_size=4 * LONGEST // 10)
    | st.just("a" * (3 * LONGEST))
    | st.just("ab " * LONGEST)
)
def test_sentences_cover_the_words_of_a_text(text: str) -> None:
    found = spans(text)
    assert all(0 < len(span) <= LONGEST for span in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert "".join("".join(span.of(text).split()) for span in found) == "".join(text.split())
    assert len(drafted(text).sentences) == len(found)


def test_no_sentence_goes_on_over_an_empty_line() -> None:
    assert [s.text for s in drafted("Who she is\n\nBess is a clerk.\nShe is late.").sentences] == [
        "Who she is",
        "Bess is a clerk.",
        "She is late.",
    ]
