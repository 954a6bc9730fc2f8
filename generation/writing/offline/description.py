"""A description: one composed opening, and a few of the book's own sentences in story order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from generation.story.quotation import Quotation
from generation.story.selection import repeats
from generation.types import Category, Sentence
from generation.writing.offline.sentences import lead, opening, quoted
from generation.writing.offline.subject import TextSubject

_TIES = 2
_MOST = 5
_LEAST_WORDS = 6
"""Words below which a quotation says too little alone."""
_AGAIN = 1.0
"""What each quotation of a category takes from the scores of the next."""
_LEAD_WORDS = 4
_NEAR = 0.5
"""What each quotation of a chapter takes from the scores of the next."""
_HEARD = 1.0
"""What a quotation is worth less if a character says it."""
_NAMED, _SURE = 0.7, 2.0
"""What a name is worth, and the logarithm of the certainty."""


def description(subject: TextSubject, words: int) -> list[Sentence]:
    first = opening(subject, _TIES)
    room = words - (len(first.text.split()) if first else 0)
    chosen = choose(
        subject.told, room, most=_MOST, begin=() if first else (Category.ROLE, Category.RELATIONSHIP)
    )
    if not first and len(chosen) < 2:
        first = little(subject)
    made = [first] if first else []
    for n, quotation in enumerate(chosen):
        made.append(quoted(subject, quotation, lead(subject, quotation, chosen[:n])))
    return made


def little(subject: TextSubject) -> Sentence:
    return Sentence(f"The book says little about {subject.name}.", (), characters=(subject.id,))


def surety(quotation: Quotation) -> float:
    """Return what a quotation is worth more, or less, for how surely it is about the person."""
    heard = _HEARD if quotation.speaker is not None else 0.0
    return (_NAMED if quotation.named else 0.0) - heard + _SURE * math.log(max(quotation.certainty, 1e-3))


def choose(
    said: Sequence[Quotation], words: int, *, most: int, begin: Sequence[Category] = ()
) -> list[Quotation]:
    """Return the quotations that say most, of different kinds, within the words, in story order.

    One of the categories `begin` comes first in the choice, so that the text says who the person is.
    """
    rest = [q for q in said if len(q.text.split()) >= _LEAST_WORDS] or list(said)
    chosen: list[Quotation] = []
    seen: Counter[Category] = Counter()
    while rest and len(chosen) < most:

        def worth(q: Quotation, seen: Counter[Category] = seen, first: bool = not chosen) -> float:
            if first and begin:
                return max(q.by_category[c] for c in begin) + surety(q)
            near = sum(q.citation.chapter == other.citation.chapter for other in chosen)
            return q.score - _AGAIN * seen[q.category] - _NEAR * near + surety(q)

        best = max(rest, key=lambda q: (worth(q), -q.citation.span.start))
        rest.remove(best)
        length = len(best.text.split()) + _LEAD_WORDS
        if (chosen and length > words) or any(repeats(best, other) for other in chosen):
            continue
        chosen.append(best)
        seen[best.category] += 1
        words -= length
    return sorted(chosen, key=lambda q: q.citation.span)
