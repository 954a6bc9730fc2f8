"""Measure which citations hold: those of key facts that are right, and those of false claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from books.types import Book
from coref.types import Annotations
from evaluation.corpus.types import CorpusNovel
from evaluation.entailment.citation_examples import citation_pairs
from evaluation.judging.judge_figures import Rate
from generation.contexts import make_context
from generation.writing.passage_relevance import Relevance, RelevanceReader


@dataclass(frozen=True, slots=True)
class CitedClaim:
    kind: str
    """How claim and passage were made, as in `citation_pairs`: "true" if the passage has its quotation."""
    read: Relevance


@dataclass(frozen=True, slots=True)
class CitingFigures:
    cited: Rate
    """Pairs of which the citation would be kept."""
    found: Rate
    """Pairs of which the passage would be cited by a search."""


def cited(novel: CorpusNovel, book: Book, annotations: Annotations) -> Iterator[CitedClaim]:
    """Yield each pair of a claim and a passage of a novel, read as a citation of a model is."""
    context = make_context(book, annotations=annotations)
    pairs = list(citation_pairs(novel, context))
    read = RelevanceReader(context).read([(claim, passage) for _, claim, passage in pairs])
    for (kind, _, _), one in zip(pairs, read, strict=True):
        yield CitedClaim(kind, one)


def figures(made: Iterable[CitedClaim]) -> Mapping[str, CitingFigures]:
    """Return the figures of each kind of pair."""
    kinds: dict[str, list[Relevance]] = {}
    for one in made:
        kinds.setdefault(one.kind, []).append(one.read)
    return {
        kind: CitingFigures(
            Rate(sum(r.cited for r in read), len(read)), Rate(sum(r.found for r in read), len(read))
        )
        for kind, read in sorted(kinds.items())
    }
