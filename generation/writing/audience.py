"""Stream a text that is written all at once to an audience, one sentence at a time."""

from __future__ import annotations

from collections.abc import Sequence

from generation.errors import WritingCancelled
from generation.protocols import Audience
from generation.types import Draft


def tell(audience: Audience | None, drafts: Sequence[Draft]) -> None:
    """Stream the first draft, as the protocol requires."""
    if audience is None or not drafts:
        return
    for sentence in drafts[0].sentences:
        if audience.gone():
            raise WritingCancelled("The answer was cancelled: nobody is waiting for it.")
        audience.hear(f"{sentence.text} ")
