"""An analysis: the book's own sentences about a character, under headings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generation.story.profile import in_order, opinions
from generation.story.quotation import Quotation
from generation.story.selection import best, repeats
from generation.types import Category, Sentence
from generation.writing.offline.description import little
from generation.writing.offline.sentences import headed, lead, opening, quoted
from generation.writing.offline.subject import TextSubject

_TIES = 4
_SECTIONS = (
    ("Part in the story", (Category.ROLE, Category.EVENT), 0.36),
    ("Ties", (Category.RELATIONSHIP,), 0.16),
    ("Nature", (Category.PERSONALITY, Category.MENTAL_STATE), 0.2),
    ("Looks and circumstances", (Category.OTHER,), 0.1),
)
_OTHERS, _OWN = 0.1, 0.08
"""Shares of the words for what others say, and for what the character says."""
_CONSIDERED = 24
_LEAD_WORDS = 3


def analysis(subject: TextSubject, words: int) -> list[Sentence]:
    used: list[Quotation] = []
    made: list[Sentence] = []
    first = opening(subject, _TIES)
    for title, categories, share in _SECTIONS:
        wanted = (q for c in categories for q in _ranked(subject.told, c, len(categories)))
        made += _section(subject, title, _taken(wanted, words * share, used), first)
        first = None
    made += _section(
        subject,
        f"How others see {subject.her}",
        _taken(opinions(subject.said, _CONSIDERED), words * _OTHERS, used),
    )
    own = best([q for q in subject.said if q.own], Category.PERSONALITY, _CONSIDERED)
    made += _section(subject, "In their own words", _taken(own, words * _OWN, used))
    return made or [little(subject)]


def _ranked(said: Sequence[Quotation], category: Category, kinds: int) -> list[Quotation]:
    return best(said, category, _CONSIDERED)[: _CONSIDERED // kinds]


def _taken(ranked: Iterable[Quotation], words: float, used: list[Quotation]) -> tuple[Quotation, ...]:
    """Return the first quotations that fit into the words and repeat nothing, in story order."""
    taken: list[Quotation] = []
    for quotation in ranked:
        length = len(quotation.text.split()) + _LEAD_WORDS
        if length <= words and not any(repeats(quotation, other) for other in used):
            words -= length
            taken.append(quotation)
            used.append(quotation)
    return in_order(taken)


def _section(
    subject: TextSubject, title: str, said: Sequence[Quotation], first: Sentence | None = None
) -> list[Sentence]:
    made = [first] if first else []
    made += [quoted(subject, q, lead(subject, q, said[:n])) for n, q in enumerate(said)]
    return headed(made, title)
