"""The parts of a resolver's result that the evaluation uses, for every resolver."""

from __future__ import annotations

from dataclasses import replace

from books.types import Span
from coref.types import Annotations, EntityCategory, Mention

NOT_OFFERED = "not offered"
"""Shown for a measure that needs a feature the resolver lacks."""


def mentions_of(annotations: Annotations) -> dict[Span, Mention]:
    """Return one mention for each span: of two that disagree about the same words, the first counts."""
    found: dict[Span, Mention] = {}
    for mention in annotations.mentions:
        found.setdefault(mention.span, mention)
    return found


def clusters_of(annotations: Annotations) -> list[set[Span]]:
    """Return the mentions of each character, and of each distinct entity; the others are singletons."""
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
    """Return the annotations without what the resolver classifies as places and things."""
    persons = tuple(m for m in annotations.mentions if m.category is EntityCategory.PERSON)
    return replace(annotations, mentions=persons)
