"""Train what finds the places that answer a question: the vectors of questions, and the ranker of places.

A lesson is a question, or a fact as a statement, with the sentences of its book that bear it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from retrieval.asking.kinds import QuestionKind
from retrieval.asking.question_vectors import PIECES
from retrieval.asking.reading import weighed
from retrieval.embedders.adapter_training import AdaptedEncoder, AdapterSteps
from retrieval.embedders.adapters import mean_of_pieces, padded, tokenizer
from retrieval.telling.sentence_table import Floats, Ints

Tell = Callable[[str], object]
_SHARPNESS: Final = 20.0
"""What the nearness of two unit vectors is multiplied by."""
_LEAST: Final = 1e-6
_RIDGE: Final = 1e-4


@dataclass(frozen=True, slots=True)
class BookQuestions:
    """Questions about one book. For each the sentences that bear out its answer."""

    vectors: Floats
    """Of the book's sentences."""
    asked: tuple[tuple[str, Ints], ...]


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """The places that are found for a question, and which of them answer it."""

    signs: Floats
    right: NDArray[np.bool_]
    asked: bool = True
    """Whether it is a question. From facts as statements the odds of an answer are not learnt."""


@dataclass(frozen=True, slots=True)
class ReadPlaces:
    """The likeliest places for a question, and what the reader says of them."""

    said: Floats
    """How they compare and their log odds, by their signs."""
    read: Floats
    right: NDArray[np.bool_]
    answerable: bool


@dataclass(frozen=True, slots=True)
class AskingCourse:
    epochs: int
    rate: float = 5e-4
    decay: float = 0.01
    rank: int = 16
    """Width of the two matrices that are learnt for each matrix of the encoder."""
    batch: int = 24
    """Questions at once."""
    warm: int = 30
    """Steps in which the rate rises."""
    seed: int = 0


def train_questions(
    books: Sequence[BookQuestions], folder: Path, course: AskingCourse, *, tell: Tell
) -> dict[str, Tensor]:
    """Return the adapter of the questions' encoder. `folder` has MiniLM."""
    torch.manual_seed(course.seed)
    chance = np.random.default_rng(course.seed)
    encoder = AdaptedEncoder(folder, rank=course.rank)
    encoder.train()
    read = tokenizer(folder)
    steps = course.epochs * sum(-(-len(book.asked) // course.batch) for book in books)
    step = AdapterSteps(encoder, steps, rate=course.rate, decay=course.decay, warm=course.warm)
    for epoch in range(course.epochs):
        whole = count = 0.0
        for book, rows in _portions(books, course.batch, chance):
            asked = [book.asked[n] for n in rows]
            pieces = padded([read.encode(question).ids[:PIECES] for question, _ in asked])
            vectors = mean_of_pieces(encoder(pieces), pieces > 0)
            likely = torch.log_softmax(_SHARPNESS * vectors @ torch.from_numpy(book.vectors).T, 1)
            loss = -torch.stack(
                [
                    torch.logsumexp(likely[row, torch.from_numpy(right)], 0)
                    for row, (_, right) in enumerate(asked)
                ]
            ).mean()
            step(loss)
            whole, count = whole + float(loss.detach()) * len(rows), count + len(rows)
        tell(f"Questions, round {epoch + 1} of {course.epochs}: loss {whole / count:.3f}")
    return encoder.adapter()


def train_ranker(found: Sequence[FoundPlaces], course: AskingCourse) -> dict[str, Floats]:
    """Return the weights of the ranker: to compare the places of one question, and for the odds of each."""
    torch.manual_seed(course.seed)
    chance = np.random.default_rng(course.seed)
    every = np.concatenate([places.signs for places in found])
    mean, deviation = every.mean(0), every.std(0) + _LEAST
    known = [torch.from_numpy((places.signs - mean) / deviation) for places in found]
    right = [torch.from_numpy(places.right) for places in found]
    network = nn.Linear(every.shape[1], 2)
    steps = course.epochs * -(-len(found) // course.batch)
    step = AdapterSteps(network, steps, rate=course.rate, decay=course.decay, warm=course.warm)
    for _ in range(course.epochs):
        order = chance.permutation(len(found)).tolist()
        for first in range(0, len(order), course.batch):
            some = order[first : first + course.batch]
            losses = [_ranked(network(known[n]), right[n], asked=found[n].asked) for n in some]
            step(torch.stack(losses).mean())
    return {
        "mean": mean,
        "deviation": deviation,
        "weight": network.weight.detach().numpy(),
        "bias": network.bias.detach().numpy(),
    }


def fit_reading(found: Sequence[ReadPlaces], *, sure: float, lost: float) -> dict[str, Floats]:
    """Return what the reader weighs beside the signs: to compare the places of a question, and for the odds.

    The odds are moved so that the best places of a share `lost` of the answerable questions are less likely
    than `sure`, as by the signs alone.
    """

    def order_loss(at: NDArray[np.float64]) -> float:
        answered = [(each.said[:, 0] + at[0] * each.read, each.right) for each in found if each.right.any()]
        return float(sum(logsumexp(z) - logsumexp(z[right]) for z, right in answered) + at[0] ** 2 / 2)

    every = np.concatenate([each.said[:, 1] for each in found])
    known = np.stack((every, np.concatenate([each.read for each in found]), np.ones_like(every)), 1)
    sides = np.where(np.concatenate([each.right for each in found]), 1.0, -1.0)

    def odds_loss(at: NDArray[np.float64]) -> float:
        return float(np.logaddexp(0, -sides * (known @ at)).sum())

    order = minimize(order_loss, np.zeros(1)).x.astype(np.float32)
    odds = minimize(odds_loss, np.zeros(3)).x.astype(np.float32)
    best = []
    for each in found:
        if each.answerable:
            made = weighed(each.said, each.read, order, odds)
            best.append(float(made[made[:, 0].argmax(), 1]))
    odds[2] += np.log(sure / (1 - sure)) - np.quantile(best, lost)
    return {"order": order, "odds": odds}


def _ranked(said: Tensor, right: Tensor, *, asked: bool) -> Tensor:
    loss = said.new_zeros(())
    if asked:
        loss = loss + binary_cross_entropy_with_logits(said[:, 1], right.float(), reduction="sum")
    if right.any():
        loss = loss - torch.logsumexp(torch.log_softmax(said[:, 0], 0)[right], 0)
    return loss


def _portions(
    books: Sequence[BookQuestions], size: int, chance: np.random.Generator
) -> Iterator[tuple[BookQuestions, list[int]]]:
    """Yield portions of questions about one book, in another order each time."""
    found: list[tuple[BookQuestions, list[int]]] = []
    for book in books:
        order = chance.permutation(len(book.asked)).tolist()
        found += [(book, order[first : first + size]) for first in range(0, len(order), size)]
    for n in chance.permutation(len(found)).tolist():
        yield found[n]


def train_kinds(vectors: Floats, kinds: Sequence[QuestionKind], course: AskingCourse) -> dict[str, Floats]:
    """Return the weights that tell the kind of a question from its vector."""
    torch.manual_seed(course.seed)
    every = list(QuestionKind)
    network = nn.Linear(vectors.shape[1], len(every))
    known, right = torch.from_numpy(vectors), torch.tensor([every.index(kind) for kind in kinds])
    rare = torch.bincount(right, minlength=len(every)).clamp(min=1).float().rsqrt()
    optimiser = torch.optim.AdamW(network.parameters(), lr=course.rate)
    for _ in range(course.epochs):
        loss = cross_entropy(network(known), right, weight=rare) + _RIDGE * network.weight.square().sum()
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return {"weight": network.weight.detach().numpy(), "bias": network.bias.detach().numpy()}
