"""Answer questions by a local extractive reader: the most likely span of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluation.metrics.folders import LoadedModel, load
from evaluation.metrics.text_stretches import nearest, stretches

if TYPE_CHECKING:
    from torch import Tensor

REMEDY = (
    "Give as reader the folder of a checkpoint for extractive question answering, such as one trained on "
    "SQuAD; or none, for the language model to answer."
)
_STRETCH, _STRETCHES = 200, 8
"""Words that are read together; of a long text, those stretches that share most with the question."""
_OVERLAP = 64
"""Pieces that consecutive windows share."""
_LONGEST = 30
"""Maximum pieces of an answer."""
_INPUT = ("input_ids", "token_type_ids", "attention_mask")


@dataclass(frozen=True, slots=True)
class _BestSpan:
    text: str
    score: float
    nothing: float
    """The score of there being no answer."""


class ExtractiveReader:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _model(self) -> LoadedModel:
        return load("AutoModelForQuestionAnswering", self._folder, remedy=REMEDY)

    @property
    def name(self) -> str:
        return self._model.name

    def answers(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[list[str] | None]:
        """Answer questions about each text; empty where the model finds no answer."""
        pairs: list[tuple[str, str]] = []
        owners: list[tuple[int, int]] = []
        for at, (text, questions) in enumerate(asked):
            parts = stretches(text, _STRETCH)
            for number, question in enumerate(questions):
                near = nearest(question, parts, _STRETCHES)
                pairs += [(self._cut(question), part) for part in near]
                owners += [(at, number)] * len(near)
        best: dict[tuple[int, int], _BestSpan] = {}
        for owner, found in zip(owners, self._read(pairs), strict=True):
            best[owner] = _better(best.get(owner), found)
        return [
            [_answer_text(best.get((at, n))) for n in range(len(questions))]
            for at, (_, questions) in enumerate(asked)
        ]

    def _cut(self, question: str) -> str:
        """Shorten a question, because the text must have room too."""
        most = self._model.longest // 2
        places = self._model.tokenizer(question, add_special_tokens=False, return_offsets_mapping=True)[
            "offset_mapping"
        ]
        return question if len(places) <= most else question[: places[most - 1][1]]

    def _read(self, pairs: Sequence[tuple[str, str]]) -> list[_BestSpan]:
        """Return the best span over each pair's windows."""
        import torch

        if not pairs:
            return []
        encoding = self._model.tokenizer(
            [question for question, _ in pairs],
            [text for _, text in pairs],
            truncation="only_second",
            max_length=self._model.longest,
            stride=min(_OVERLAP, self._model.longest // 8),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        owners: list[int] = encoding["overflow_to_sample_mapping"]
        best: list[_BestSpan | None] = [None] * len(pairs)
        with torch.inference_mode():
            for rows, batch in self._model.batches({n: encoding[n] for n in _INPUT if n in encoding}):
                made = self._model.model(**batch)
                for row, start, end in zip(rows, made.start_logits, made.end_logits, strict=True):
                    owner = owners[row]
                    found = _span(pairs[owner][1], encoding, row, start.float().cpu(), end.float().cpu())
                    best[owner] = _better(best[owner], found)
        return [each for each in best if each is not None]


def _span(text: str, encoding: Any, row: int, start: Tensor, end: Tensor) -> _BestSpan:
    """Return the most likely span of the window that lies in the text and not in the question."""
    import torch

    inside = [at for at, part in enumerate(encoding.sequence_ids(row)) if part == 1]
    nothing = float(start[0] + end[0])
    if not inside:
        return _BestSpan("", -torch.inf, nothing)
    both = start[inside][:, None] + end[inside][None, :]
    ahead = torch.ones_like(both, dtype=torch.bool).triu().tril(_LONGEST - 1)
    place = int(both.masked_fill(~ahead, -torch.inf).argmax())
    first, last = inside[place // len(inside)], inside[place % len(inside)]
    places = encoding["offset_mapping"][row]
    return _BestSpan(text[places[first][0] : places[last][1]], float(start[first] + end[last]), nothing)


def _better(held: _BestSpan | None, found: _BestSpan) -> _BestSpan:
    if held is None:
        return found
    best = found if found.score > held.score else held
    return _BestSpan(best.text, best.score, min(held.nothing, found.nothing))


def _answer_text(best: _BestSpan | None) -> str:
    return "" if best is None or best.nothing > best.score else best.text
