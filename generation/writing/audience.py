"""Letting somebody hear a text that is written all at once, a sentence at a time."""

from __future__ import annotations

from collections.abc import Sequence

from generation.errors import WritingCancelled
from generation.protocols import Audience
from generation.types import Draft


def tell(audience: Audience | None, drafts: Sequence[Draft]) -> None:
    """The first draft, as the protocol has it."""
    if audience is None or not drafts:
        return
    for sentence in drafts[0].sentences:
        if audience.gone():
            raise WritingCancelled("Nobody waits for this answer any more.")
        audience.hear(f"{sentence.text} ")
