"""Whether a passage bears out a claim that cites it: what the entailment head and the reader of pairs say.

The head sees which words fit and who is there; the reader, which has learnt from many more pairs, what a
passage means as a whole. `bookworm train citations` fits both together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from coref.native.minilm import encoder_folder
from generation.checking.entailment.entailment_head import (
    DATA,
    EntailmentHead,
    HeadWeights,
    Rows,
    as_read,
    write,
)
from generation.checking.entailment.written_evidence import names_for, written_claim, written_evidence
from generation.checking.types import Case
from retrieval.pairs.pair_reader import Asks, PairReader, loaded

FILE: Final = DATA / "citations.json"
_LEAST: Final = 1e-4
"""Probabilities are kept this far from 0 and 1."""


class CitationHead:
    """Its weights' `supported` is the least probability to cite a passage that a search found, and
    `unsupported` the least to keep a citation.
    """

    def __init__(self, weights: HeadWeights, reader: PairReader, together: Rows) -> None:
        """`together` has the weights of the head's log odds and of the reader's, and what is added."""
        self.weights = weights
        self._head, self._reader, self._together = EntailmentHead(weights), reader, together

    def read(self, cases: Sequence[Case]) -> list[float]:
        """Return the probability that the evidence of each case, one passage, bears its claim out."""
        found = self._head.read(cases)
        rows = odds(np.array([each.supported for each in found]), read_together(self._reader, cases))
        said = 1 / (1 + np.exp(-(rows @ self._together)))
        return [float(p) if each.best is not None else 0.0 for p, each in zip(said, found, strict=True)]


def odds(supported: Rows, read: Rows) -> Rows:
    """Return the rows whose weighted sums are the log odds: of the head, of the reader, and 1."""
    sure = np.clip(supported, _LEAST, 1 - _LEAST)
    found: Rows = np.stack((np.log(sure / (1 - sure)), read, np.ones_like(read)), 1).astype(np.float32)
    return found


def read_together(reader: PairReader, cases: Sequence[Case]) -> Rows:
    """Return what the reader says of each claim with the sentences of its passage, in their order."""
    pairs = []
    for case in cases:
        names = names_for(case.claim)
        told = sorted(case.evidence, key=lambda each: each.span)
        pairs.append(
            (written_claim(case.claim, names), " ".join(written_evidence(each, names) for each in told))
        )
    return reader(pairs, Asks.BEARS_OUT)


def write_citations(weights: HeadWeights, together: Rows, story: dict[str, Any]) -> str:
    told = json.loads(write(weights, story))
    return json.dumps(told | {"together": [round(float(each), 4) for each in together]}) + "\n"


def read_citations(path: Path, reader: PairReader) -> CitationHead:
    """Read the weights. Raises ValueError for those of another version or other features."""
    told = json.loads(path.read_text("utf-8"))
    return CitationHead(as_read(told, path.name), reader, np.array(told["together"], np.float32))


@cache
def citation_head() -> CitationHead:
    return read_citations(FILE, loaded(encoder_folder()))
