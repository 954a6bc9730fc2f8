"""Make the lessons of the reader of pairs from the corpus.

Claims are written as the entailment head reads them, with one plain name for each person. They come from
excerpts and from the facts of the portraits. Without labels, they are also put beside passages that have many
of their words. The passages of a question are the places that Bookworm finds for it. A place answers it if it
overlaps the quotations of the answer, or the passage that the question was written for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from books.types import Book, Span
from coref.types import Annotations
from evaluation.asking.lessons import lessons
from evaluation.corpus.asked_passages import AskedPassage, NovelAskedPassages, asked_passages
from evaluation.corpus.excerpts import NovelExcerpts, excerpts
from evaluation.corpus.loading import novels
from evaluation.corpus.questions import questions
from evaluation.corpus.types import CorpusNovel, Split
from evaluation.entailment.citation_examples import citation_pairs
from evaluation.entailment.examples import examples
from evaluation.entailment.excerpt_examples import excerpt_claims
from evaluation.portraits.types import OpenedBook
from generation.checking.entailment.cited_passage import asked_of, terms_of
from generation.checking.entailment.sentence_search import search_of
from generation.checking.entailment.written_evidence import names_for, written_claim, written_evidence
from generation.checking.evidence import evidence_at
from generation.checking.types import Evidence
from generation.contexts import make_context
from generation.story.cast import cast_of
from generation.types import Claim
from retrieval import passages
from retrieval.asking.places import found_places
from retrieval.index import BookIndex
from retrieval.pairs.types import Asks, PairLesson
from retrieval.sentences import flat

NEAR: Final = "near"
"""Kind of an unlabelled pair of a claim and a passage with many of its words."""
FACT: Final = "fact"
"""Kind of a fact that is asked as if it were a question."""
TRUE_OF_PORTRAIT: Final = "true of a portrait"
_NEAREST, _TAKEN = 7, 5
"""Passages with most of a claim's words, and how many of them are taken, without its own."""
_FOUND: Final = 24
"""Places of a question."""
_LONGEST: Final = 1_500
"""Characters of a place that are read."""
_SHORTEST: Final = 20
"""Characters that a passage has at least."""
_SENTENCES: Final = 6
"""Sentences of the evidence that the judge finds itself."""
_WEIGHT: Final = {"true": 1.0, "false": 1.0, "near": 1.0, "elsewhere": 0.5}
_ALTERED: Final = 0.3
"""Weight of an altered fact. All others count as `_WEIGHT` says."""


@dataclass(frozen=True, slots=True)
class PairNovel:
    """What the corpus has of one novel for the lessons."""

    novel: str
    split: Split
    portraits: CorpusNovel | None
    excerpts: NovelExcerpts | None
    asked: NovelAskedPassages | None


def pair_novels() -> Iterator[PairNovel]:
    """Yield the novels of the splits train and dev that have anything to learn from."""
    told = {novel.novel: novel for novel in novels()}
    parts = {novel.novel: novel for novel in excerpts()}
    asked = {novel.novel: novel for novel in asked_passages()}
    for name in sorted({*told, *parts, *asked}):
        split = told[name].split if name in told else "train"
        if split != "test":
            yield PairNovel(name, split, told.get(name), parts.get(name), asked.get(name))


def pair_lessons(novel: PairNovel, opened: OpenedBook) -> Iterator[PairLesson]:
    """Yield the lessons about a novel: its claims, and then its questions."""
    yield from _Claims(novel, opened.book, opened.annotations).lessons()
    yield from question_lessons(novel, opened.book, opened.index())


class _Claims:
    def __init__(self, novel: PairNovel, book: Book, annotations: Annotations) -> None:
        self._novel, self._book, self._annotations = novel, book, annotations
        self._search = search_of(cast_of(book, annotations))
        self._homes: dict[str, tuple[Claim, Span]] = {}
        """The claims that are about a passage, with that passage."""

    def lessons(self) -> Iterator[PairLesson]:
        every = [*self._of_excerpts(), *self._of_portraits(), *self._of_judge()]
        if self._novel.split == "train":
            every += self._near()
        return (lesson for lesson in every if len(lesson.passage) >= _SHORTEST)

    def _of_excerpts(self) -> Iterator[PairLesson]:
        if self._novel.excerpts is None:
            return
        for kind, claim, span in excerpt_claims(self._novel.excerpts, self._book, self._annotations):
            yield self._of_passage(kind, claim, span, true=kind == "true", home=kind != "elsewhere")

    def _of_portraits(self) -> Iterator[PairLesson]:
        if self._novel.portraits is None:
            return
        context = make_context(self._book, annotations=self._annotations)
        for kind, claim, passage in citation_pairs(self._novel.portraits, context):
            yield self._of_passage(
                f"{kind} of a portrait",
                claim,
                passage.span,
                true=kind == "true",
                weight=_WEIGHT.get(kind, _ALTERED),
                home=kind in ("true", "false"),
            )

    def _of_judge(self) -> Iterator[PairLesson]:
        """Yield facts with the evidence that the judge finds in the whole book, without labels."""
        if self._novel.portraits is not None:
            for each in examples(self._novel.portraits, self._book, self._annotations):
                claim, found = each.case.claim, each.case.evidence[:_SENTENCES]
                yield self._lesson(f"{each.kind} with found evidence", claim, found, true=None)

    def _near(self) -> Iterator[PairLesson]:
        """Yield each claim with passages that have many of its words."""
        spans = [passage.span for passage in passages.split(self._book)]
        there = [terms_of(span.of(self._book.text)) for span in spans]
        for claim, home in self._homes.values():
            asked = asked_of(claim, self._search)
            hits = np.array([sum(asked[term] for term in asked.keys() & some) for some in there])
            best = [spans[n] for n in np.argsort(-hits, kind="stable")[:_NEAREST].tolist()]
            for span in [span for span in best if not span.overlaps(home)][:_TAKEN]:
                yield self._lesson(NEAR, claim, self._told(span, claim), true=None)

    def _of_passage(
        self, kind: str, claim: Claim, span: Span, *, true: bool, home: bool, weight: float = 1.0
    ) -> PairLesson:
        if home:
            self._homes.setdefault(claim.text, (claim, span))
        return self._lesson(kind, claim, self._told(span, claim), true=true, weight=weight)

    def _told(self, span: Span, claim: Claim) -> Iterator[Evidence]:
        return (evidence_at(n, claim, self._search) for n in self._search.within(span))

    def _lesson(
        self, kind: str, claim: Claim, told: Iterable[Evidence], *, true: bool | None, weight: float = 1.0
    ) -> PairLesson:
        names = names_for(claim)
        passage = " ".join(written_evidence(each, names) for each in told)
        query = written_claim(claim, names)
        return PairLesson(query, passage, Asks.BEARS_OUT, true, kind, self._novel.split, weight=weight)


def question_lessons(novel: PairNovel, book: Book, index: BookIndex) -> Iterator[PairLesson]:
    """Yield each question, and each fact as a statement, with the places that are found for it."""
    asked = list(_questions(novel, book))
    for n, (kind, question, quotes, upto) in enumerate(asked):
        for place in found_places(index, question, upto=upto, most=_FOUND)[0]:
            right = any(place.span.overlaps(quote) for quote in quotes)
            yield _answer(novel, book, n, kind, question, place.span, right)
    for n, (passage, span) in enumerate(_passages(novel, book), start=len(asked)):
        yield _answer(novel, book, n, "trap", passage.trap, span, False)


def _questions(novel: PairNovel, book: Book) -> Iterator[tuple[str, str, tuple[Span, ...], int | None]]:
    """Yield the kind of each question, the question, where it is answered and how far its reader has come."""
    if novel.portraits is not None:
        for each in lessons(novel.portraits, questions(novel.novel), book):
            kind = FACT if not each.asked else "question" if each.quotes else "unanswered"
            yield kind, each.question, each.quotes, each.upto
    for passage, span in _passages(novel, book):
        yield from (("asked of a passage", question, (span,), None) for question in passage.questions)


def _passages(novel: PairNovel, book: Book) -> Iterator[tuple[AskedPassage, Span]]:
    for passage in novel.asked.passages if novel.asked else ():
        span = passage.span(book.text)
        if span is not None:
            yield passage, span


def _answer(
    novel: PairNovel, book: Book, n: int, kind: str, question: str, place: Span, right: bool
) -> PairLesson:
    return PairLesson(
        question,
        flat(place.of(book.text)[:_LONGEST]),
        Asks.ANSWERS,
        right,
        kind,
        novel.split,
        group=f"{novel.novel} {n}",
        weight=0.0 if kind == FACT else 1.0,
    )
