"""Train the entailment head: make the examples of the corpus' novels, read their features, and fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

import numpy as np

from books.types import Book
from coref.types import Annotations
from evaluation.corpus.types import CorpusNovel
from evaluation.entailment.examples import Example, examples
from evaluation.entailment.fitting import EVIDENCE, RIDGE, FittingTable, Goal, fitted, fitted_together
from generation.checking.entailment.encoder import encode_pairs
from generation.checking.entailment.entailment_head import HeadWeights, Rows, features
from generation.checking.entailment.pair_encoding import encode
from generation.checking.entailment.reading_head import ALONE, Texts, borne_out, odds, places
from retrieval.pairs.pair_reader import PairReader

_CENTRED = 400
"""Examples from which the mean of the encoder's states is taken."""
Tell = Callable[[str], None]
Make = Callable[[CorpusNovel, Book, Annotations], Iterable[Example]]


@dataclass(frozen=True, slots=True)
class TrainedHead:
    weights: HeadWeights
    story: dict[str, Any]
    """What it was trained on and its figures, for the file of the weights."""
    together: Rows
    """What head and reader weigh together."""


def train(
    opened: Iterable[tuple[CorpusNovel, Book, Annotations]],
    *,
    tell: Tell,
    make: Make = examples,
    goal: Goal = EVIDENCE,
    reader: PairReader,
    texts: Texts = places,
) -> TrainedHead:
    """Train on the novels of the split `train`, and choose the thresholds with those of `dev`.

    What the `reader` of pairs says beside the head is weighed on `dev` alone: it has learnt from the claims
    about the other novels.
    """
    rows: list[Rows] = []
    made: list[tuple[CorpusNovel, Example]] = []
    centre: Rows | None = None
    for novel, book, resolved in opened:
        told = list(make(novel, book, resolved))
        centre = _centre(told, goal.layers) if centre is None else centre
        rows.append(features([e.case for e in told], centre, goal.layers)[0])
        made += ((novel, e) for e in told)
        tell(f"{novel.title}: {len(told)} examples")
    if centre is None:
        raise ValueError("there is no novel to train on")
    table = FittingTable(
        rows=np.concatenate(rows),
        true=np.array([e.true for _, e in made], np.bool_),
        kinds=[e.kind for _, e in made],
        novels=[e.novel for _, e in made],
        trained=np.array([novel.split == "train" for novel, _ in made], np.bool_),
        goal=goal,
    )
    weights, figures, found = fitted(table, centre)
    together = ALONE
    dev = np.flatnonzero(table.plain & ~table.trained).tolist()
    if dev:
        read = borne_out(reader, [made[at][1].case for at in dev], texts)
        weights, together, figures["dev, with the reader"] = fitted_together(
            weights, odds(found[dev], read), table.true[dev], goal
        )
    story = {
        "novels": {
            split: sorted({n.novel for n, _ in made if n.split == split}) for split in ("train", "dev")
        },
        "examples": {kind: table.kinds.count(kind) for kind in sorted(set(table.kinds))},
        "ridge": RIDGE,
        "altered": {"denied": goal.denied, "others": goal.altered},
        "figures": {name: asdict(found) for name, found in figures.items()},
    }
    return TrainedHead(weights, story, together)


def _centre(made: list[Example], layers: int) -> Rows:
    chosen = Random(0).sample(made, min(_CENTRED, len(made)))
    hidden = encode_pairs([encode(e.case.claim, e.case.evidence) for e in chosen], layers)
    centre: Rows = np.mean([h.mean(0).numpy() for h in hidden], 0, dtype=np.float32)
    return centre
