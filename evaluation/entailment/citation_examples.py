"""Make labelled pairs of a claim and one passage from the facts of the corpus, for the citation head.

A fact is borne out by the passages of its quotations, and taken not to be by others about the same person,
some of them with many of its words. A false fact, or an altered one, is borne out by none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from books.types import Book, Span
from coref.types import Annotations
from evaluation.corpus.quotations import spans_of
from evaluation.corpus.types import CorpusNovel, CorpusPerson
from evaluation.entailment.altered_claims import altered, details
from evaluation.entailment.examples import Example
from evaluation.keyfacts.linking import corpus_claim, corpus_people
from generation.checking.entailment.cited_passage import asked_of, passage_case, terms_of
from generation.checking.entailment.sentence_search import search_of
from generation.contexts import make_context
from generation.story.cast import cast_of
from generation.types import Claim, Context
from retrieval import passages
from retrieval.types import Passage

CitationPair = tuple[str, Claim, Passage]
"""How the pair was made, the claim and the passage."""
_NEAR: Final = 8
"""Passages with most of a claim's words, of which some are taken."""
_FALSE, _ELSEWHERE = 3, 2
"""Passages of a false fact, and of a true one elsewhere."""


def citation_examples(
    novel: CorpusNovel, book: Book, annotations: Annotations, *, seed: int = 0
) -> Iterator[Example]:
    """Yield the examples of a novel."""
    context = make_context(book, annotations=annotations)
    search = search_of(cast_of(book, annotations))
    for kind, claim, passage in citation_pairs(novel, context, seed=seed):
        case = passage_case(claim, passage.span, search, context)
        yield Example(kind, case, kind == "true", novel.novel)


def citation_pairs(novel: CorpusNovel, context: Context, *, seed: int = 0) -> Iterator[CitationPair]:
    """Yield what the examples of a novel are made of."""
    yield from _Maker(context, Random(f"{seed} {novel.novel}")).pairs(novel)


class _Maker:
    def __init__(self, context: Context, random: Random) -> None:
        book, annotations = context.book, context.annotations
        self._book = book
        self._search = search_of(cast_of(book, annotations))
        self._annotations = annotations
        self._random = random
        self._passages = passages.split(book)
        self._starts = [p.span.start for p in self._passages]
        self._terms = [terms_of(p.text) for p in self._passages]
        self._of: dict[str, list[int]] = {}
        for at, passage in enumerate(self._passages):
            for character in sorted({m.character or "" for m in self._search.mentions_in(passage.span)}):
                self._of.setdefault(character, []).append(at)

    def pairs(self, novel: CorpusNovel) -> Iterator[CitationPair]:
        linked = corpus_people(novel, self._annotations)
        words = [word for person in novel.people for fact in person.true for word in details(fact.fact)]
        known = {name: character for name, character in linked.items() if character is not None}
        for person in novel.people:
            if person.name in known:
                yield from self._true(person, known, words)
                yield from self._false(person, known[person.name])

    def _true(
        self, person: CorpusPerson, known: dict[str, str], words: Sequence[str]
    ) -> Iterator[CitationPair]:
        others = [name for name in known if name != person.name]
        for fact in person.true:
            homes = sorted({self._at(span) for span in spans_of(fact.quotes, self._book.text)})
            if not homes:
                continue
            claim = corpus_claim(fact.fact, person.name, known[person.name], self._annotations)
            home = self._passages[self._random.choice(homes)]
            yield from (("true", claim, self._passages[at]) for at in homes)
            rest = [at for at in self._of.get(known[person.name], ()) if at not in homes]
            yield from (("near", claim, p) for p in self._some(self._near(claim, rest), 1))
            yield from (("elsewhere", claim, p) for p in self._some(rest, _ELSEWHERE))
            yield from ((kind, wrong, home) for kind, wrong in altered(claim, words, self._random))
            if others and person.name in fact.fact:
                other = self._random.choice(others)
                moved = fact.fact.replace(person.name, other)
                yield "other person", corpus_claim(moved, other, known[other], self._annotations), home

    def _false(self, person: CorpusPerson, character: str) -> Iterator[CitationPair]:
        for false in person.false:
            claim = corpus_claim(false.fact, person.name, character, self._annotations)
            for at in self._near(claim, self._of.get(character, ()))[:_FALSE]:
                yield "false", claim, self._passages[at]

    def _near(self, claim: Claim, among: Sequence[int]) -> list[int]:
        asked = asked_of(claim, self._search)
        hits = {at: sum(asked[term] for term in asked.keys() & self._terms[at]) for at in among}
        return sorted(hits, key=lambda at: (-hits[at], at))[:_NEAR]

    def _some(self, among: Sequence[int], most: int) -> list[Passage]:
        return [self._passages[at] for at in self._random.sample(among, min(most, len(among)))]

    def _at(self, span: Span) -> int:
        return max(0, bisect_right(self._starts, span.start) - 1)
