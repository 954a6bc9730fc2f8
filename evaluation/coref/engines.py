"""What the evaluation asks of a resolver, whichever it is."""

from __future__ import annotations

from dataclasses import replace

from books.types import Span
from coref.types import Annotations, EntityCategory, Mention

NOT_OFFERED = "not offered"
"""Said for a measure that needs what the resolver cannot do."""


def mentions_of(annotations: Annotations) -> dict[Span, Mention]:
    """One for each stretch of text: of two that say different things of the same words, the first counts."""
    found: dict[Span, Mention] = {}
    for mention in annotations.mentions:
        found.setdefault(mention.span, mention)
    return found


def clusters_of(annotations: Annotations) -> list[set[Span]]:
    """The mentions of each character, and of each thing that is told apart; others are alone."""
    together: dict[str | int, set[Span]] = {}
    alone: list[set[Span]] = []
    for span, mention in mentions_of(annotations).items():
        whose = mention.character if mention.character is not None else mention.entity
        if whose is None:
            alone.append({span})
        else:
            together.setdefault(whose, set()).add(span)
    return [*together.values(), *alone]


def persons_of(annotations: Annotations) -> Annotations:
    """Without what the resolver takes for places and things."""
    persons = tuple(m for m in annotations.mentions if m.category is EntityCategory.PERSON)
    return replace(annotations, mentions=persons)
