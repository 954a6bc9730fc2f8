"""What the evaluation asks of a resolver, whichever it is."""

from __future__ import annotations

from books.types import Span
from coref.types import Annotations, Mention

NOT_OFFERED = "not offered"
"""Said for a measure that needs what the resolver cannot do."""


def mentions_of(annotations: Annotations) -> dict[Span, Mention]:
    """One for each stretch of text: of two that say different things of the same words, the first counts."""
    found: dict[Span, Mention] = {}
    for mention in annotations.mentions:
        found.setdefault(mention.span, mention)
    return found


def clusters_of(annotations: Annotations) -> list[set[Span]]:
    """The mentions of each character; a mention that was not resolved is alone."""
    together: dict[str, set[Span]] = {}
    alone: list[set[Span]] = []
    for span, mention in mentions_of(annotations).items():
        if mention.character is None:
            alone.append({span})
        else:
            together.setdefault(mention.character, set()).add(span)
    return [*together.values(), *alone]
