"""A joint description: what is between the people first, and then who each of them is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from books.types import count_words
from generation.story.profile import in_order
from generation.story.quotation import Quotation
from generation.story.selection import distinct, repeats
from generation.types import Category, Sentence
from generation.writing.offline.description import description
from generation.writing.offline.sentences import headed, opening, quoted
from generation.writing.offline.subject import TextSubject

_MOST_BETWEEN = 5
_BETWEEN = 0.5
"""What part of the words of all people goes to what is between them."""


def joint(people: Sequence[TextSubject], words: int) -> list[Sentence]:
    """Return the text. `words` is the length for each person."""
    room = int(words * min(len(people), 3) * _BETWEEN)
    shared, used = list(_related(people)), _between(people, room)
    shared += (quoted(s, q, s.says("in chapter", chapter=q.citation.chapter + 1)) for s, q in used)
    entries: list[Sequence[Sentence]] = []
    for subject in people:
        apart = _apart(subject, people, used)
        if apart.named is not None:
            used.append((subject, apart.named))
        entries.append(headed(description(apart, words), subject.name))
    return [sentence for part in (headed(shared, people[0].says("between")), *entries) for sentence in part]


def _related(people: Sequence[TextSubject]) -> Iterator[Sentence]:
    """Yield what each is to those after them, as far as it is certain."""
    for n, subject in enumerate(people):
        after = {other.id for other in people[n + 1 :]}
        ties = tuple(tie for tie in subject.ties if tie.other in after)
        said = opening(replace(subject, ties=ties, narrates=False), len(ties))
        if said is not None:
            yield said


def _apart(
    subject: TextSubject, people: Sequence[TextSubject], used: Sequence[tuple[TextSubject, Quotation]]
) -> TextSubject:
    """Return somebody without what was said between them and the others."""
    ids = {other.id for other in people}
    said = tuple(q for q in subject.said if not _said(q, used))
    who, named = (
        None if quotation is None or _said(quotation, used) else quotation
        for quotation in (subject.who, subject.named)
    )
    ties = tuple(tie for tie in subject.ties if tie.other not in ids)
    return replace(subject, ties=ties, said=said, who=who, named=named)


def _said(quotation: Quotation, used: Sequence[tuple[TextSubject, Quotation]]) -> bool:
    return any(repeats(quotation, other) for _, other in used)


def _between(people: Sequence[TextSubject], words: int) -> list[tuple[TextSubject, Quotation]]:
    """Return the quotations about one of the people that mention another and say most of a relation."""
    ids = {subject.id for subject in people}
    of = {subject.id: subject for subject in people}
    found = [q for subject in people for q in subject.told if q.others & ids]
    ranked = sorted(found, key=lambda q: (-q.by_category[Category.RELATIONSHIP], q.citation.span))
    chosen: list[Quotation] = []
    for quotation in distinct(ranked, _MOST_BETWEEN):
        words -= count_words(quotation.text)
        if words >= 0 or not chosen:
            chosen.append(quotation)
    return [(of[q.character], q) for q in in_order(chosen)]
