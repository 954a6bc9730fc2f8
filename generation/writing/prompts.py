"""What a generator is given: the book and its people as far as the reader has read, and the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from generation.types import Context, Prompt, Strategy, Task
from retrieval.types import Passage


def make_prompt(
    context: Context,
    *,
    task: Task,
    passages: Sequence[Passage] = (),
    strategy: Strategy = Strategy.RETRIEVE,
    summary: str | None = None,
    cast_list: bool = False,
) -> Prompt:
    """Passages are put in story order, and those that end past the gate are dropped.

    The gate is a filter, never a request.
    """
    end = len(context.book.text) if context.upto is None else min(context.upto, len(context.book.text))
    return Prompt(
        task=task,
        context=context,
        passages=tuple(sorted((p for p in passages if p.span.end <= end), key=lambda p: p.span)),
        strategy=strategy,
        summary=summary,
        cast_list=cast_list,
    )
