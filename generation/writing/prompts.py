"""Make the input of a generator: the book and its characters up to the reader's position, and passages."""

from __future__ import annotations

from collections.abc import Sequence

from generation.types import AnswerLanguage, Context, Prompt, Strategy, Task
from retrieval.types import AnsweringPlace, EventSentence, Passage, TellingSentence


def make_prompt(
    context: Context,
    *,
    task: Task,
    passages: Sequence[Passage] = (),
    strategy: Strategy = Strategy.RETRIEVE,
    summary: str | None = None,
    cast_list: bool = False,
    telling: Sequence[TellingSentence] = (),
    events: Sequence[EventSentence] = (),
    chapter: int | None = None,
    question: str | None = None,
    language: AnswerLanguage = AnswerLanguage.ENGLISH,
    places: Sequence[AnsweringPlace] = (),
) -> Prompt:
    """Return a prompt with the passages and sentences that end before the gate, in story order."""
    end = len(context.book.text) if context.upto is None else min(context.upto, len(context.book.text))
    return Prompt(
        task=task,
        context=context,
        passages=tuple(sorted((p for p in passages if p.span.end <= end), key=lambda p: p.span)),
        strategy=strategy,
        summary=summary,
        cast_list=cast_list,
        telling=tuple(sorted((s for s in telling if s.span.end <= end), key=lambda s: s.span)),
        events=tuple(sorted((e for e in events if e.span.end <= end), key=lambda e: e.span)),
        chapter=chapter,
        question=question,
        language=language,
        places=tuple(p for p in places if p.span.end <= end),
    )
