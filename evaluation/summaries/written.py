"""Recaps written by a language model that reads the book in parts, or whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

from books.gate import cut
from coref.gate import gate
from evaluation.portraits.types import OpenedBook
from evaluation.summaries.kept_texts import FolderNotebook
from evaluation.summaries.recaps import WORDS, Teller, Told
from generation.contexts import make_context
from generation.errors import PromptTooLong
from generation.protocols import Generator
from generation.types import AnswerLimits, Strategy, Task
from generation.writing.prompts import make_prompt
from generation.writing.writer import PortraitWriter
from retrieval.events.sentences import event_sentences
from retrieval.protocols import Embedder
from retrieval.registry import make_retriever
from retrieval.types import Query

_EVERY: Final = 2**31
"""A limit above the number of passages in any book."""


@dataclass(frozen=True, slots=True)
class WrittenRecaps:
    writer: Generator
    strategy: Strategy
    chunk: int | None
    """Tokens of the book that are read at once; None for all of it, which must fit."""
    temperature: float
    embedder: Embedder
    candidates: int = 1
    """Texts on each part, of which the best is taken."""

    def __call__(self, opened: OpenedBook, upto: int) -> Told:
        start = perf_counter()
        index, annotations = opened.index(), gate(opened.annotations, upto=upto)
        lead = make_retriever("lead", index=index, annotations=annotations, embedder=self.embedder)
        prompt = make_prompt(
            make_context(cut(opened.book, upto), annotations=annotations, upto=upto),
            task=Task.RECAP,
            passages=lead.search(Query(k=_EVERY, upto=upto)),
            strategy=self.strategy,
            events=event_sentences(index, annotations, upto=upto) if self.candidates > 1 else (),
        )
        limits = AnswerLimits(
            words=WORDS, chunk=self.chunk, temperature=self.temperature, candidates=self.candidates
        )
        if self.chunk is None and self.writer.plan(prompt, limits).calls > 1:
            raise PromptTooLong("What was read does not fit into the model's context.")
        draft = self.writer.generate(prompt, limits)
        seconds = perf_counter() - start + draft.kept.seconds
        return Told(draft.text, draft.usage.tokens + draft.kept.tokens, seconds)


def tellers(
    writer: Generator, *, chunk: int, temperature: float, embedder: Embedder, kept: Path | None = None
) -> Mapping[str, Teller]:
    """Return the ways to write a recap: by merging parts, updating, choosing, or reading all at once.

    What is written on parts is kept in the folder `kept`, and is not asked for again.
    """
    if kept is not None and isinstance(writer, PortraitWriter):
        writer = writer.remembering(FolderNotebook(kept))
    return {
        "hierarchical": WrittenRecaps(writer, Strategy.HIERARCHICAL, chunk, temperature, embedder),
        "incremental": WrittenRecaps(writer, Strategy.INCREMENTAL, chunk, temperature, embedder),
        "ranked": WrittenRecaps(writer, Strategy.RANKED, chunk, temperature, embedder),
        "best of three": WrittenRecaps(writer, Strategy.RANKED, chunk, temperature, embedder, candidates=3),
        "whole": WrittenRecaps(writer, Strategy.HIERARCHICAL, None, temperature, embedder),
    }
