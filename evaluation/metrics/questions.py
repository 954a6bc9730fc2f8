"""Questions that a reference answers, written by a language model, and answers from such a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from books.sampling import evenly
from books.types import count_words
from evaluation.metrics.text_stretches import nearest, stretches
from generation.checking.claims.json_asking import JsonAnswer, JsonAsk, MalformedAnswer, ask
from generation.models.prompt_files import PromptFiles
from generation.models.prompt_quoting import quoted, restored
from generation.models.protocols import LanguageModel

PROMPTS = PromptFiles("evaluation.metrics", 1, ("system", "questions", "answers"))
_STRETCH = 250
"""Words of a reference that the model sees at once."""
_STRETCHES = 8
"""Of a longer reference, this many stretches are used, spread from its beginning to its end."""
_READ = 4
"""Stretches of a long answer that the model sees: those that share most words with the questions."""
_WORDS_A_QUESTION, _FEWEST, _MOST = 12, 2, 12
"""For one stretch; the model also answers no more questions than this at once."""
_LONGEST_QUESTION, _LONGEST_ANSWER = 300, 120
"""Characters."""
_TOKENS = 90
"""Tokens for a question with its answer; more than it needs."""


@dataclass(frozen=True, slots=True)
class ReferenceQuestion:
    text: str
    answer: str


class QuestionAsker:
    def __init__(self, model: LanguageModel, *, seed: int = 0) -> None:
        self._model = model
        self._seed = seed

    @property
    def name(self) -> str:
        return f"{self._model.name}+asking/{PROMPTS.fingerprint}"

    def questions(self, references: Sequence[str]) -> list[JsonAnswer[list[ReferenceQuestion]]]:
        """Return, for each reference, its questions, or why there are none."""
        parts = [(at, part) for at, text in enumerate(references) for part in _shown(text)]
        got, _ = ask(self._model, [_asked(part) for _, part in parts], seed=self._seed)
        found: list[dict[str, ReferenceQuestion]] = [{} for _ in references]
        faults: list[str | None] = ["it holds no sentence"] * len(references)
        for (at, _), each in zip(parts, got, strict=True):
            faults[at] = each.fault
            for question in each.value or ():
                found[at].setdefault(question.text.casefold(), question)
        return [
            JsonAnswer(list(made.values()), None) if made else JsonAnswer(None, fault)
            for made, fault in zip(found, faults, strict=True)
        ]


class ModelReader:
    """Answers by the language model itself."""

    def __init__(self, model: LanguageModel, *, seed: int = 0) -> None:
        self._model = model
        self._seed = seed

    @property
    def name(self) -> str:
        return f"{self._model.name}+answering/{PROMPTS.fingerprint}"

    def answers(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[list[str] | None]:
        """Answer questions about each text; None where the model gave nothing usable."""
        some = [
            (at, text, questions[first : first + _MOST])
            for at, (text, questions) in enumerate(asked)
            for first in range(0, len(questions) if text.strip() else 0, _MOST)
        ]
        got, _ = ask(self._model, [_answering(text, part) for _, text, part in some], seed=self._seed)
        found: list[list[str] | None] = [[] if text.strip() else [""] * len(q) for text, q in asked]
        for (at, _, _), each in zip(some, got, strict=True):
            held = found[at]
            found[at] = None if held is None or each.value is None else [*held, *each.value]
        return found


def _shown(reference: str) -> list[str]:
    return evenly(stretches(reference, _STRETCH), _STRETCHES)


def _asked(text: str) -> JsonAsk[list[ReferenceQuestion]]:
    count = min(_MOST, max(_FEWEST, count_words(text) // _WORDS_A_QUESTION))
    return JsonAsk(
        PROMPTS.messages("questions", text=quoted(text), count=str(count)), 100 + _TOKENS * count, _questions
    )


def _questions(answer: Any) -> list[ReferenceQuestion]:
    found: dict[str, ReferenceQuestion] = {}
    for row in _listed(answer, "questions"):
        text, gold = (row.get(key) if isinstance(row, dict) else None for key in ("question", "answer"))
        if not isinstance(text, str) or not isinstance(gold, str) or not text.strip() or not gold.strip():
            raise MalformedAnswer("an entry lacks its question or its answer")
        if len(text) <= _LONGEST_QUESTION and len(gold) <= _LONGEST_ANSWER:
            found.setdefault(
                text.strip().casefold(), ReferenceQuestion(restored(text.strip()), restored(gold.strip()))
            )
    if not found:
        raise MalformedAnswer("it has no question of reasonable length")
    return list(found.values())[:_MOST]


def _answering(text: str, questions: Sequence[str]) -> JsonAsk[list[str]]:
    shown = nearest(" ".join(questions), stretches(text, _STRETCH), _READ)
    listed = "\n".join(f"{number}: {quoted(question)}" for number, question in enumerate(questions, 1))
    return JsonAsk(
        PROMPTS.messages("answers", text=quoted(" ".join(shown)), questions=listed),
        100 + _TOKENS * len(questions),
        partial(_answers, count=len(questions)),
    )


def _answers(answer: Any, *, count: int) -> list[str]:
    found: dict[int, str] = {}
    for row in _listed(answer, "answers"):
        number, said = (row.get(key) if isinstance(row, dict) else None for key in ("question", "answer"))
        if not isinstance(number, int) or not isinstance(said, str) or not 1 <= number <= count:
            raise MalformedAnswer(f"an entry has no number from 1 to {count} with an answer")
        found[number] = restored(said.strip())
    if len(found) < count:
        raise MalformedAnswer("it does not answer every question")
    return [found[number] for number in range(1, count + 1)]


def _listed(answer: Any, name: str) -> list[Any]:
    listed = answer.get(name) if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        raise MalformedAnswer(f"it has no list called “{name}”")
    return listed
