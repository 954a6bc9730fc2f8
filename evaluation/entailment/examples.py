"""Make labelled cases of a claim and its evidence from the facts of the corpus.

The evidence is what the judge finds itself. Besides the facts as they are there are altered ones, so that the
head cannot learn from the words alone what sounds true: a true fact about somebody else, denied, with another
relation or another word, or turned round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from books.types import Book
from coref.types import Annotations
from evaluation.corpus.types import CorpusNovel
from evaluation.entailment.altered_claims import altered, details
from evaluation.keyfacts.linking import corpus_claim, corpus_people
from generation.checking import evidence
from generation.checking.types import Case
from generation.contexts import make_context
from generation.types import Claim


@dataclass(frozen=True, slots=True)
class Example:
    kind: str
    """`true` and `false` for facts as they are; otherwise how a true fact was altered."""
    case: Case
    true: bool
    novel: str


def examples(novel: CorpusNovel, book: Book, annotations: Annotations, *, seed: int = 0) -> Iterator[Example]:
    """Yield the examples of a novel."""
    random = Random(f"{seed} {novel.novel}")
    context = make_context(book, annotations=annotations)
    linked = corpus_people(novel, annotations)
    words = [word for person in novel.people for fact in person.true for word in details(fact.fact)]
    for person in novel.people:
        others = [p.name for p in novel.people if p.name != person.name and linked[p.name] is not None]

        def told(text: str, name: str = person.name) -> Claim:
            return corpus_claim(text, name, linked[name], annotations)

        made: list[tuple[str, Claim, bool]] = []
        for fact in person.true:
            claim = told(fact.fact)
            made.append(("true", claim, True))
            made += ((kind, wrong, False) for kind, wrong in altered(claim, words, random))
            if others:
                other = random.choice(others)
                moved = told(fact.fact.replace(person.name, other), other)
                made.append(("other person", moved, False))
        for false in person.false:
            made.append(("false", told(false.fact), False))
        for kind, claim, true in made:
            yield Example(kind, evidence.in_book(claim, context=context), true, novel.novel)
