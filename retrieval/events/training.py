"""Train the head that scores sentences as pieces of the story: those that tell a chapter's events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from retrieval.telling.head_network import HeadNetwork
from retrieval.telling.sentence_table import Floats, Ints

_STEP: Final = 0.1
"""What the loss of a book is multiplied by."""


@dataclass(frozen=True, slots=True)
class WantedSentences:
    """Sentences of a chapter of which one is to be ranked first: those that a quotation touches."""

    sentences: Ints
    weight: float


@dataclass(frozen=True, slots=True)
class EventRows:
    """The sentences of one book, with what readers would quote of its chapters, and said of some of them."""

    signs: Floats
    vectors: Floats
    chapter: Ints
    wanted: tuple[WantedSentences, ...]
    judged: Floats
    """For each sentence how much of an event it tells and whether it is clear, from 0 to 1; NaN if unread."""


@dataclass(frozen=True, slots=True)
class EventCourse:
    epochs: int = 20
    rate: float = 2e-3
    decay: float = 1e-2
    hidden: int = 48
    meaning: int = 32
    dropout: float = 0.3
    judged: float = 0.6
    """Weight of what readers said of a sentence."""
    members: int = 5
    """Number of networks whose mean the head is. One alone depends much on chance."""
    seed: int = 0


Weights = dict[str, NDArray[np.float32]]


def train(books: Sequence[EventRows], course: EventCourse | None = None) -> Weights:
    """Return the weights of a head with two outputs: tells an event, and is clear."""
    course = course or EventCourse()
    return mean_of([_trained(books, course, course.seed + n) for n in range(course.members)])


def mean_of(heads: Sequence[Weights]) -> Weights:
    """Return one wide head that says the mean of what several say. They must read the same signs."""
    signs = len(heads[0]["mean"])
    widths = [len(head["meaning.weight"]) for head in heads]
    hidden = []
    for n, head in enumerate(heads):
        known, meant = np.split(head["hidden.weight"], [signs], axis=1)
        before, after = sum(widths[:n]), sum(widths[n + 1 :])
        hidden.append(np.concatenate((known, np.pad(meant, ((0, 0), (before, after)))), axis=1))
    return {
        "mean": heads[0]["mean"],
        "deviation": heads[0]["deviation"],
        "meaning.weight": np.concatenate([head["meaning.weight"] for head in heads]),
        "meaning.bias": np.concatenate([head["meaning.bias"] for head in heads]),
        "hidden.weight": np.concatenate(hidden),
        "hidden.bias": np.concatenate([head["hidden.bias"] for head in heads]),
        "out.weight": np.concatenate([head["out.weight"] / len(heads) for head in heads], axis=1),
        "out.bias": np.mean([head["out.bias"] for head in heads], axis=0),
        "direct.weight": np.mean([head["direct.weight"] for head in heads], axis=0),
    }


def _trained(books: Sequence[EventRows], course: EventCourse, seed: int) -> Weights:
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    network = HeadNetwork([rows.signs for rows in books], books[0].vectors.shape[1], 2, course)
    optimiser = torch.optim.AdamW(network.parameters(), lr=course.rate, weight_decay=course.decay)
    network.train()
    for _ in range(course.epochs):
        for n in chance.permutation(len(books)).tolist():
            rows = books[n]
            scores = network(torch.from_numpy(rows.signs), torch.from_numpy(rows.vectors))
            loss = _quoted(scores[:, 0], rows) + course.judged * _judged(scores, rows)
            if loss.requires_grad:
                optimiser.zero_grad()
                (_STEP * loss).backward()  # type: ignore[no-untyped-call]
                optimiser.step()
    return network.weights()


def _quoted(scores: Tensor, rows: EventRows) -> Tensor:
    """Return how unlikely the wanted sentences are among all of their chapter."""
    starts = np.searchsorted(rows.chapter, rows.chapter)
    ends = np.searchsorted(rows.chapter, rows.chapter, side="right")
    likely: dict[int, Tensor] = {}
    loss = torch.zeros(())
    for wanted in rows.wanted:
        first = int(starts[wanted.sentences[0]])
        if first not in likely:
            likely[first] = torch.log_softmax(scores[first : int(ends[wanted.sentences[0]])], 0)
        inside = torch.from_numpy(np.asarray(wanted.sentences) - first)
        inside = inside[inside < len(likely[first])]
        loss = loss - wanted.weight * torch.logsumexp(likely[first][inside], 0)
    return loss


def _judged(scores: Tensor, rows: EventRows) -> Tensor:
    judged = torch.from_numpy(rows.judged)
    known = ~judged.isnan()
    if not known.any():
        return torch.zeros(())
    return binary_cross_entropy_with_logits(scores[known], judged[known], reduction="sum")
