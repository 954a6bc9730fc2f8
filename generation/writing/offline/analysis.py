"""An analysis: the book's own sentences about a character, under headings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from books.types import count_words
from generation.story.profile import in_order
from generation.story.quotation import Quotation
from generation.story.selection import best, repeats
from generation.types import Category, Sentence
from generation.writing.offline.description import description
from generation.writing.offline.sentences import headed, lead, opening, quoted
from generation.writing.offline.subject import TextSubject

_TIES = 4
_SECTIONS = (
    ("part", (Category.ROLE, Category.EVENT), 0.36),
    ("ties", (Category.RELATIONSHIP,), 0.16),
    ("nature", (Category.PERSONALITY, Category.MENTAL_STATE), 0.2),
    ("looks", (Category.OTHER,), 0.1),
)
_OTHERS, _OWN = 0.1, 0.08
"""Shares of the words for what others say, and for what the character says."""
_LITTLE = 0.4
"""Share of the words up to which the character's own fill a text in which the book says less."""
_CONSIDERED = 40
"""Number of quotations of a category that are compared."""
_LEAD_WORDS = 2


def analysis(subject: TextSubject, words: int) -> list[Sentence]:
    presented = () if subject.who is None else (subject.who,)
    opened, used = opening(subject, _TIES), list(presented)
    room = words - sum(map(_length, presented))
    made: list[Sentence] = []
    first, who = opened, presented
    for section, categories, share in _SECTIONS:
        taken = _taken(subject.told, categories, room * share, used)
        made += _section(subject, subject.says(section), (*who, *taken), first)
        first, who = None, ()
    heard = [q for q in subject.told if q.heard]
    others = _taken(heard, (Category.PERSONALITY,), room * _OTHERS, used)
    made += _section(subject, subject.says("others", name=subject.her), others)
    own = [q for q in subject.said if q.own]
    rest = words * _LITTLE - sum(count_words(sentence.text) for sentence in made)
    taken = _taken(own, (Category.PERSONALITY,), room * _OWN, used)
    taken = in_order((*taken, *_taken(own, tuple(Category), rest, used)))
    made += _section(subject, subject.says("own words"), taken)
    alone = opened is None and len(used) == len(presented)
    return description(subject, words) if alone else made


def _taken(
    said: Iterable[Quotation], categories: Sequence[Category], words: float, used: list[Quotation]
) -> tuple[Quotation, ...]:
    """Return the quotations that say most in the categories, in turn, and repeat nothing, in story order."""
    taken: list[Quotation] = []
    likely = {category: best(said, category, _CONSIDERED) for category in categories}
    while any(likely.values()):
        for category, rest in likely.items():
            most = best(rest, category, 1, taken)
            if not most:
                continue
            rest.remove(most[0])
            length = _length(most[0])
            if length <= words and not any(repeats(most[0], other) for other in used):
                words -= length
                taken.append(most[0])
                used.append(most[0])
    return in_order(taken)


def _length(quotation: Quotation) -> int:
    return count_words(quotation.text) + _LEAD_WORDS


def _section(
    subject: TextSubject,
    title: str,
    said: Sequence[Quotation],
    first: Sentence | None = None,
) -> list[Sentence]:
    made = [first] if first else []
    for n, q in enumerate(said):
        presents = not made and q is subject.who
        made.append(quoted(subject, q, lead(subject, q, said[:n], presents=presents)))
    return headed(made, title)
