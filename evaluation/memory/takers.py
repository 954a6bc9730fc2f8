"""Who takes the test: by likeness to what has been read, or a language model that is shown a part of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from evaluation.memory.contexts import PROMPTS, Shown, Sought, request
from evaluation.memory.memory_sets import MemoryQuestion
from generation.models.protocols import LanguageModel
from generation.models.types import CompletionRequest
from generation.quiz.sets import ASKED, NONE
from retrieval.index import BookIndex
from retrieval.protocols import Embedder
from retrieval.tokenizer import terms

_ANSWER: Final = 24
"""Tokens of an answer."""
_NUMBER: Final = re.compile(r"\d+")
_ALIKE: Final = 0.5
"""Cosine of a choice and the sentence most like it below which it is not in what has been read. Measured on
train novels of the corpus."""


_TOGETHER: Final = 0.3
"""Share of the words of a choice below which it is not in what is shown. Measured like the cosine."""


class Taker(Protocol):
    @property
    def name(self) -> str: ...

    def take(self, questions: Sequence[MemoryQuestion], index: BookIndex) -> list[int | None]:
        """Return the position of the choice for each question about one novel; None for no usable answer."""
        ...


class NearestTaker:
    """Takes the choice that is most like a sentence of what has been read, or none."""

    name = "nearest"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def take(self, questions: Sequence[MemoryQuestion], index: BookIndex) -> list[int | None]:
        ends = np.asarray(index.sentences[:, 1])
        vectors = np.asarray(index.sentence_vectors, np.float32)
        return [self._choice(question, ends, vectors) for question in questions]

    def _choice(self, question: MemoryQuestion, ends: np.ndarray, vectors: np.ndarray) -> int:
        texts = [choice.text for choice in question.asked.choices]
        read = vectors[: np.searchsorted(ends, question.asked.at, side="right")]
        likeness = (self._embedder.embed(texts) @ read.T).max(axis=1)
        best = int(likeness.argmax())
        return best if likeness[best] >= _ALIKE else len(texts)


class WordsTaker:
    """Takes the choice most of whose words stand together in a paragraph that it is shown, or none.

    It understands nothing, and shows how much of the test the retrieval of passages alone decides.
    """

    def __init__(self, shown: Shown, name: str) -> None:
        self._shown = shown
        self.name = name

    def take(self, questions: Sequence[MemoryQuestion], index: BookIndex) -> list[int | None]:
        return [self._choice(question, index) for question in questions]

    def _choice(self, question: MemoryQuestion, index: BookIndex) -> int:
        texts = tuple(choice.text for choice in question.asked.choices)
        shown = self._shown(Sought(question.novel, texts, question.asked.at), index)
        paragraphs = [frozenset(terms(paragraph)) for paragraph in shown]
        shares = [_share(frozenset(terms(text)), paragraphs) for text in texts]
        best = int(np.argmax(shares))
        return best if shares[best] >= _TOGETHER else len(texts)


class ModelTaker:
    """Asks a language model, and shows it a part of what has been read."""

    def __init__(self, model: LanguageModel, shown: Shown, name: str) -> None:
        self._model = model
        self._shown = shown
        self.name = name

    def take(self, questions: Sequence[MemoryQuestion], index: BookIndex) -> list[int | None]:
        completions = self._model.complete([self._request(question, index) for question in questions])
        return [
            _answer(completion.text, len(question.asked.choices))
            for completion, question in zip(completions, questions, strict=True)
        ]

    def _request(self, question: MemoryQuestion, index: BookIndex) -> CompletionRequest:
        choices = tuple(choice.text for choice in question.asked.choices)
        asked = PROMPTS.fill(
            "question",
            question=ASKED,
            choices="\n".join(f"{n}. {text}" for n, text in enumerate((*choices, NONE), 1)),
            most=str(len(choices) + 1),
        )
        shown = self._shown(Sought(question.novel, choices, question.asked.at), index)
        return request(self._model, asked, shown, answer=_ANSWER)


def _share(words: frozenset[str], paragraphs: Sequence[frozenset[str]]) -> float:
    return max((len(words & paragraph) / max(1, len(words)) for paragraph in paragraphs), default=0.0)


def _answer(said: str, choices: int) -> int | None:
    """Return the first number that is one of a choice."""
    numbers = (int(found) - 1 for found in _NUMBER.findall(said))
    return next((number for number in numbers if 0 <= number <= choices), None)
