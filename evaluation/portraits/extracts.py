"""Answers made of the book's own sentences: the first that mention somebody, random ones, or the best.

As in BookWorm (section 4.1). The oracle looks at the reference, so it is an upper bound for extracts.
Sentences are added one by one, each time the one that most increases the averaged F1 of words and of bigrams,
and none when it no longer increases. (The paper takes those whose own scores are best.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from books.types import Book, ParagraphKind
from coref.types import Annotations
from evaluation.metrics.tokens import words_of
from evaluation.portraits.types import SystemQuestion
from generation.story.cast import cast_of
from generation.types import AnswerLimits, Citation, Draft, Prompt, Sentence
from generation.writing.modelless import Modelless
from generation.writing.overlaps import grams
from retrieval import sentences

VERSION = 1
_WIDTHS = (1, 2)

Pick = Callable[[Sequence[str], SystemQuestion], Sequence[int]]
"""Selects sentences, by their positions."""


def lead(candidates: Sequence[str], question: SystemQuestion) -> Sequence[int]:
    return range(min(question.sentences, len(candidates)))


def at_random(candidates: Sequence[str], question: SystemQuestion) -> Sequence[int]:
    """Draw anew for each question, so that no draw depends on earlier questions."""
    asked = (question.seed, question.opened.book.sha256, question.character.id, question.task.value)
    chance = Random("\n".join(map(str, asked)))
    return sorted(chance.sample(range(len(candidates)), min(question.sentences, len(candidates))))


def oracle(candidates: Sequence[str], question: SystemQuestion) -> Sequence[int]:
    return sorted(best(candidates, question.reference, question.sentences))


class Extracting(Modelless):
    """A writer for one question: its draft cites every sentence that it takes."""

    def __init__(self, name: str, pick: Pick, question: SystemQuestion) -> None:
        self._name = name
        self._pick = pick
        self._question = question

    @property
    def name(self) -> str:
        return f"{self._name}/{VERSION}"

    def draft(self, prompt: Prompt, limits: AnswerLimits) -> Draft:  # noqa: ARG002 - sentences, not words
        book, who = prompt.context.book, self._question.character.id
        cited = mentioning(book, prompt.context.annotations, who)
        texts = [sentences.flat(book.slice(citation.span)) for citation in cited]
        taken = self._pick(texts, self._question)
        made = tuple(Sentence(texts[at], (cited[at],), None, (who,)) for at in taken)
        return Draft(made)


def mentioning(book: Book, annotations: Annotations, character: str) -> list[Citation]:
    """Return the sentences that mention somebody, by name or not, in story order, without headings."""
    cast = cast_of(book, annotations)
    found: list[Citation] = []
    for mention in annotations.mentions_of(character):
        if found and mention.span.start < found[-1].span.end:
            continue
        paragraph = book.paragraph_at(mention.span.start)
        if paragraph is not None and paragraph.kind is not ParagraphKind.HEADING:
            found.append(cast.sentence_at(mention.span.start))
    return found


@dataclass(frozen=True, slots=True)
class _Shared:
    """The words and bigrams that a text shares with the reference, and its total number of them."""

    grams: tuple[Mapping[tuple[str, ...], int], ...]
    sizes: tuple[int, ...]


def best(candidates: Sequence[str], reference: str, most: int) -> list[int]:
    """Return at most this many sentences, in the order in which they were chosen."""
    wanted = [Counter(grams(words_of(reference), width)) for width in _WIDTHS]
    left = {at: shared for at, text in enumerate(candidates) if any((shared := _shared(text, wanted)).grams)}
    have = _Shared(tuple(Counter() for _ in _WIDTHS), (0,) * len(_WIDTHS))
    score, taken = 0.0, list[int]()
    while left and len(taken) < most:
        scores = {at: _score(have, shared, wanted) for at, shared in left.items()}
        at = max(scores, key=lambda place: (scores[place], -place))
        if scores[at] <= score:
            break
        score = scores[at]
        have = _both(have, left.pop(at))
        taken.append(at)
    return taken


def _shared(text: str, wanted: Sequence[Counter[tuple[str, ...]]]) -> _Shared:
    words = words_of(text)
    counted = [Counter(grams(words, width)) for width in _WIDTHS]
    return _Shared(
        tuple(
            {g: n for g, n in mine.items() if g in theirs}
            for mine, theirs in zip(counted, wanted, strict=True)
        ),
        tuple(sum(mine.values()) for mine in counted),
    )


def _both(one: _Shared, other: _Shared) -> _Shared:
    return _Shared(
        tuple(Counter(a) + Counter(b) for a, b in zip(one.grams, other.grams, strict=True)),
        tuple(a + b for a, b in zip(one.sizes, other.sizes, strict=True)),
    )


def _score(have: _Shared, more: _Shared, wanted: Sequence[Counter[tuple[str, ...]]]) -> float:
    """Return the mean F1 after adding a sentence; only the added n-grams are counted."""
    total = 0.0
    for at, theirs in enumerate(wanted):
        mine, added = have.grams[at], more.grams[at]
        hits = sum(min(n, theirs[g]) for g, n in mine.items())
        hits += sum(
            min(mine.get(g, 0) + n, theirs[g]) - min(mine.get(g, 0), theirs[g]) for g, n in added.items()
        )
        size = have.sizes[at] + more.sizes[at] + theirs.total()
        total += 2 * hits / size if size else 0.0
    return total / len(wanted)
