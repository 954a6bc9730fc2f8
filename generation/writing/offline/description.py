"""A description: one composed opening, and a few of the book's own sentences in story order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generation.story.quotation import Quotation
from generation.story.selection import WHO, repeats, worth
from generation.types import Category, Sentence
from generation.writing.offline.sentences import lead, opening, quoted
from generation.writing.offline.subject import TextSubject

_TIES = 2
_LEAST_WORDS = 6
"""Words below which a quotation says too little alone."""
_LEAD_WORDS = 4
_LIKE = (Category.PERSONALITY, Category.OTHER)
_HAPPENS = (Category.EVENT,)
_SLOTS = (_LIKE, _HAPPENS, (Category.RELATIONSHIP,), _HAPPENS, (Category.PERSONALITY, Category.MENTAL_STATE))
"""What the quotations are about, most wanted first."""


def description(subject: TextSubject, words: int) -> list[Sentence]:
    first = opening(subject, _TIES)
    room = words - (len(first.text.split()) if first else 0)
    chosen = choose(subject.told, room, slots=_SLOTS if first else (WHO, *_SLOTS[:-1]))
    if not first and len(chosen) < 2:
        first = little(subject)
    made = [first] if first else []
    return made + [quoted(subject, q, lead(subject, q, chosen[:n])) for n, q in enumerate(chosen)]


def little(subject: TextSubject) -> Sentence:
    return Sentence(f"The book says little about {subject.name}.", (), characters=(subject.id,), remark=True)


def choose(said: Iterable[Quotation], words: int, *, slots: Sequence[Sequence[Category]]) -> list[Quotation]:
    """Return the quotation that says most for each slot, within the words, in story order."""
    whole = list(said)
    rest = [q for q in whole if len(q.text.split()) >= _LEAST_WORDS] or whole
    chosen: list[Quotation] = []
    for wanted in slots:
        for quotation in sorted(rest, key=lambda q: (-worth(q, wanted, chosen), q.citation.span.start)):
            length = len(quotation.text.split()) + _LEAD_WORDS
            if (length <= words or not chosen) and not any(repeats(quotation, other) for other in chosen):
                chosen.append(quotation)
                rest.remove(quotation)
                words -= length
                break
    return sorted(chosen, key=lambda q: q.citation.span)
