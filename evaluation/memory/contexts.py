"""What of a book a language model is shown when its memory is tested, and the prompt with as much as fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from coref.types import Annotations
from evaluation.memory.memory_sets import ToldNovel
from generation.models.prompt_files import PromptFiles
from generation.models.protocols import LanguageModel
from generation.models.types import CompletionRequest, Message, MessageRole
from retrieval.index import BookIndex
from retrieval.protocols import Embedder
from retrieval.registry import make_retriever
from retrieval.types import Order, Passage, Query

PROMPTS = PromptFiles("evaluation.memory", 1, ("system", "question", "correction", "context"))
_SPARE: Final = 64
"""Tokens that a prompt may be counted short by."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What somebody is asked about at a place of a novel."""

    novel: str
    texts: tuple[str, ...]
    at: int


Shown = Callable[[Sought, BookIndex], Sequence[str]]
"""Chooses what of the book a language model is shown with it: paragraphs in story order.

The last ones stay if there is no room for all.
"""


def nothing(_: Sought, __: BookIndex) -> Sequence[str]:
    return ()


def whole(sought: Sought, index: BookIndex) -> Sequence[str]:
    return [passage.text for passage in index.passages[: index.visible(sought.at)]]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The passages most like the texts, the best of each in turn."""

    embedder: Embedder
    k: int

    def __call__(self, sought: Sought, index: BookIndex) -> Sequence[str]:
        nobody = Annotations(resolver="", characters=(), mentions=(), quotes=())
        retriever = make_retriever("hybrid", index=index, annotations=nobody, embedder=self.embedder)
        rankings = [
            retriever.search(Query(text, k=self.k, upto=sought.at, order=Order.SCORE))
            for text in sought.texts
        ]
        taken: dict[int, Passage] = {}
        for passage in _in_turn(rankings):
            if len(taken) < self.k:
                taken.setdefault(passage.index, passage)
        return [taken[at].text for at in sorted(taken)]


@dataclass(frozen=True, slots=True)
class Summarised:
    """The main event of each chapter that has been read."""

    novels: Sequence[ToldNovel]

    def __call__(self, sought: Sought, _: BookIndex) -> Sequence[str]:
        events = next(novel.happenings for novel in self.novels if novel.novel == sought.novel)
        return [each.text for each in events if each.place.end <= sought.at]


def request(model: LanguageModel, asked: str, paragraphs: Sequence[str], *, answer: int) -> CompletionRequest:
    """Ask with as many of the paragraphs, from the last one back, as there is room for beside the answer."""
    room = model.context - model.count_prompt(_prompt(asked, ())) - answer - _SPARE
    kept: list[str] = []
    for paragraph in reversed(paragraphs):
        plain = " ".join(paragraph.split())
        room -= model.count_tokens(plain) + 2
        if room < 0:
            break
        kept.append(plain)
    return CompletionRequest(_prompt(asked, kept[::-1]), answer, temperature=0.0)


def _prompt(asked: str, paragraphs: Sequence[str]) -> tuple[Message, ...]:
    context = PROMPTS.fill("context", text="\n\n".join(paragraphs)) if paragraphs else ""
    return (
        Message(MessageRole.SYSTEM, PROMPTS.piece("system")),
        Message(MessageRole.USER, f"{context}\n\n{asked}".strip()),
    )


def _in_turn(rankings: Sequence[Sequence[Passage]]) -> Iterator[Passage]:
    for rank in range(max(map(len, rankings), default=0)):
        yield from (ranking[rank] for ranking in rankings if rank < len(ranking))
