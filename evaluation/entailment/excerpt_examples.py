"""Make labelled pairs of a claim and an excerpt from what was written about excerpts of novels."""

from __future__ import annotations

from collections.abc import Iterator

from books.types import Book, Span
from coref.types import Annotations
from evaluation.corpus.excerpts import NovelExcerpts
from evaluation.entailment.examples import Example
from evaluation.keyfacts.linking import corpus_claim
from generation.checking.entailment.cited_passage import passage_case
from generation.checking.entailment.sentence_search import search_of
from generation.contexts import make_context
from generation.story.cast import cast_of
from generation.story.named_people import Names
from generation.types import Claim


def excerpt_claims(
    novel: NovelExcerpts, book: Book, annotations: Annotations
) -> Iterator[tuple[str, Claim, Span]]:
    """Yield each claim with its excerpt, and true ones with the other excerpt of the pair, too.

    Before each stands how the pair was made. People whom the book's cast does not have are left out.
    """
    names = Names(annotations.characters)
    for pair in novel.pairs:
        named = next(iter(names.find(pair.person)), None)
        spans = [excerpt.span(book.text) for excerpt in pair.excerpts]
        if named is None:
            continue
        for excerpt, here, other in zip(pair.excerpts, spans, reversed(spans), strict=True):
            made = [("true", told, here) for told in excerpt.true]
            made += [("elsewhere", told, other) for told in excerpt.true]
            made += [("trap", told, here) for told in excerpt.traps]
            for kind, told, span in made:
                if span is not None:
                    yield kind, corpus_claim(told, pair.person, named.character, annotations), span


def excerpt_examples(novel: NovelExcerpts, book: Book, annotations: Annotations) -> Iterator[Example]:
    """Yield the same as examples, with the sentences of each excerpt as evidence."""
    context = make_context(book, annotations=annotations)
    search = search_of(cast_of(book, annotations))
    for kind, claim, span in excerpt_claims(novel, book, annotations):
        yield Example(kind, passage_case(claim, span, search, context), kind == "true", novel.novel)
