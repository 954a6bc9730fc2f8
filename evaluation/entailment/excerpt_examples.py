"""Make labelled pairs of a claim and an excerpt from what was written about excerpts of novels."""

from __future__ import annotations

from collections.abc import Iterator

from books.types import Book, Span
from coref.types import Annotations
from evaluation.corpus.excerpts import NovelExcerpts
from evaluation.keyfacts.linking import corpus_claim
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
