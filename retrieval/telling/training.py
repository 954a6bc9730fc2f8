"""Train the head that scores sentences: for each person, the quoted sentences against all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from retrieval.telling.head_network import HeadNetwork
from retrieval.telling.sentence_table import Floats


@dataclass(frozen=True, slots=True)
class TellingRows:
    """The sentences near one person, with what is quoted of them."""

    signs: Floats
    vectors: Floats
    labels: NDArray[np.bool_]
    """For each sentence and category, whether it is quoted."""
    judged: Floats
    """For each sentence what readers said, from 0 to 1, in the order of `JUDGED`; NaN if none has read it."""


@dataclass(frozen=True, slots=True)
class TellingCourse:
    """How the head is trained."""

    epochs: int = 8
    rate: float = 2e-3
    decay: float = 1e-2
    hidden: int = 48
    meaning: int = 48
    dropout: float = 0.3
    blind: float = 0.15
    """Share of the people whose sentences are read without vectors, so that the signs suffice alone."""
    by_category: float = 0.25
    """Weight of each category beside that of all together."""
    judged: float = 0.1
    """Weight of what readers said of a sentence."""
    listed: float = 0.05
    """Weight of the ranking among the sentences of one person beside the probability of each."""
    seed: int = 0


def train(
    people: Sequence[TellingRows], course: TellingCourse | None = None
) -> dict[str, NDArray[np.float32]]:
    """Return the weights of a head, as `TellingHead` takes them."""
    course = course or TellingCourse()
    people = [rows for rows in people if rows.labels.any() or not np.isnan(rows.judged).all()]
    torch.manual_seed(course.seed)
    chance = np.random.default_rng(course.seed)
    outputs = 1 + people[0].labels.shape[1] + people[0].judged.shape[1]
    head = HeadNetwork([rows.signs for rows in people], people[0].vectors.shape[1], outputs, course)
    optimiser = torch.optim.AdamW(head.parameters(), lr=course.rate, weight_decay=course.decay)
    head.train()
    for _ in range(course.epochs):
        for n in chance.permutation(len(people)).tolist():
            rows = people[n]
            vectors = None if chance.random() < course.blind else torch.from_numpy(rows.vectors)
            loss = _loss(head(torch.from_numpy(rows.signs), vectors), rows, course)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
    return head.weights()


def _loss(scores: Tensor, rows: TellingRows, course: TellingCourse) -> Tensor:
    labels, judged = torch.from_numpy(rows.labels), torch.from_numpy(rows.judged)
    quoted = 1 + labels.shape[1]
    loss = _quoting(scores[:, :quoted], labels, course) if labels.any() else scores.new_zeros(())
    read = ~judged.isnan()
    if read.any():
        said = binary_cross_entropy_with_logits(scores[:, quoted:][read], judged[read], reduction="sum")
        loss = loss + course.judged * said
    return loss


def _quoting(scores: Tensor, labels: Tensor, course: TellingCourse) -> Tensor:
    wanted = torch.cat((labels.any(1, keepdim=True), labels), 1).float()
    weights = torch.tensor([1.0] + [course.by_category] * labels.shape[1])
    each = binary_cross_entropy_with_logits(scores, wanted, reduction="none").sum(0) @ weights
    share = wanted / wanted.sum(0).clamp(min=1)
    ranking = -(torch.log_softmax(scores, 0) * share).sum(0) @ weights
    return course.listed * each + ranking
