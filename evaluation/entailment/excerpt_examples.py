"""Make labelled pairs of a claim and an excerpt from what was written about excerpts of novels."""

from __future__ import annotations

from collections.abc import Iterator

from books.types import Book
from coref.types import Annotations
from evaluation.corpus.excerpts import NovelExcerpts
from evaluation.entailment.examples import Example
from evaluation.keyfacts.linking import corpus_claim
from generation.checking.entailment.cited_passage import passage_case
from generation.checking.entailment.sentence_search import search_of
from generation.contexts import make_context
from generation.story.cast import cast_of
from generation.story.named_people import Names


def excerpt_examples(novel: NovelExcerpts, book: Book, annotations: Annotations) -> Iterator[Example]:
    """Yield each claim with its excerpt, and true ones with the other excerpt of the pair, too.

    People whom the book's cast does not have are left out.
    """
    context = make_context(book, annotations=annotations)
    search = search_of(cast_of(book, annotations))
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
                    claim = corpus_claim(told, pair.person, named.character, annotations)
                    case = passage_case(claim, span, search, context)
                    yield Example(kind, case, kind == "true", novel.novel)
