"""Train the reader's adapter: what readers judged of sentences, and what key facts quote."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from retrieval.embedders.adapter_training import AdaptedEncoder, AdapterSteps
from retrieval.embedders.adapters import pooled, tokenizer
from retrieval.telling.reader import OUT, PIECES, batches
from retrieval.telling.sentence_table import Floats


@dataclass(frozen=True, slots=True)
class ReaderLesson:
    text: str
    """The sentence as `MarkedSentences` writes it out."""
    wanted: Floats
    """A probability for each output; NaN where nothing is known."""
    weight: float


@dataclass(frozen=True, slots=True)
class ReaderCourse:
    epochs: int = 3
    rate: float = 6e-4
    decay: float = 0.01
    rank: int = 16
    """Width of the two matrices that are learnt for each matrix of the encoder."""
    dropout: float = 0.1
    batch: int = 32
    warm: int = 60
    """Steps in which the rate rises."""
    seed: int = 0


class _Reader(nn.Module):
    def __init__(self, folder: Path, outputs: int, course: ReaderCourse) -> None:
        super().__init__()
        self.encoder = AdaptedEncoder(folder, rank=course.rank, dropout=course.dropout / 2)
        self.out = nn.Linear(2 * self.encoder.width, outputs)
        self._drop = nn.Dropout(course.dropout)

    def forward(self, pieces: Tensor) -> Tensor:
        said: Tensor = self.out(self._drop(pooled(self.encoder(pieces), pieces > 0)))
        return said

    def weights(self) -> dict[str, Tensor]:
        out = {f"{OUT}weight": self.out.weight, f"{OUT}bias": self.out.bias}
        return {name: tensor.detach().clone() for name, tensor in out.items()} | self.encoder.adapter()


def train(
    lessons: Sequence[ReaderLesson],
    folder: Path,
    course: ReaderCourse | None = None,
    *,
    tell: Callable[[str], object],
) -> dict[str, Tensor]:
    """Return the adapter's weights, as `SentenceReader` takes them. `folder` has MiniLM."""
    course = course or ReaderCourse()
    torch.manual_seed(course.seed)
    chance = np.random.default_rng(course.seed)
    reader = _Reader(folder, len(lessons[0].wanted), course)
    read = [encoding.ids[:PIECES] for encoding in tokenizer(folder).encode_batch([e.text for e in lessons])]
    steps = course.epochs * -(-len(lessons) // course.batch)
    step = AdapterSteps(reader, steps, rate=course.rate, decay=course.decay, warm=course.warm)
    reader.train()
    for epoch in range(course.epochs):
        whole = 0.0
        for rows, pieces in _shuffled(read, course.batch, chance):
            loss = _loss(reader(pieces), [lessons[n] for n in rows])
            step(loss)
            whole += float(loss.detach()) * len(rows)
        tell(f"Reader, round {epoch + 1} of {course.epochs}: loss {whole / len(lessons):.3f}")
    return reader.weights()


def _shuffled(
    read: Sequence[Sequence[int]], size: int, chance: np.random.Generator
) -> list[tuple[list[int], Tensor]]:
    """Return batches of similar lengths in another order each time."""
    order = chance.permutation(len(read)).tolist()
    found: list[tuple[list[int], Tensor]] = []
    for first in range(0, len(order), size * 16):
        some = order[first : first + size * 16]
        found += [
            ([some[n] for n in rows], pieces) for rows, pieces in batches([read[n] for n in some], size)
        ]
    return [found[n] for n in chance.permutation(len(found)).tolist()]


def _loss(said: Tensor, lessons: Sequence[ReaderLesson]) -> Tensor:
    wanted = torch.from_numpy(np.stack([lesson.wanted for lesson in lessons]))
    weight = torch.tensor([[lesson.weight] for lesson in lessons]).expand_as(wanted)
    known = ~wanted.isnan()
    each = binary_cross_entropy_with_logits(said[known], wanted[known], reduction="none")
    return (each * weight[known]).sum() / len(lessons)
