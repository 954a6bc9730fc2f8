"""The entailment head and the reader of pairs together: what both say of a claim and its evidence.

The head sees which words fit and who is there; the reader, which has learnt from many more pairs, what a
passage means as a whole. `bookworm train entailment` and `train citations` fit both together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from coref.native.minilm import encoder_folder
from generation.checking.entailment.entailment_head import (
    ARRAYS,
    DATA,
    FEATURES,
    NUMBERS,
    VERSION,
    HeadWeights,
    Reading,
    Rows,
    as_read,
    read_by_head,
)
from generation.checking.entailment.sentence_search import SentenceSearch, search_of
from generation.checking.entailment.written_evidence import names_for, written_claim, written_evidence
from generation.checking.evidence import evidence_at
from generation.checking.types import Case
from generation.story.cast import cast_of
from retrieval.pairs.types import Asks

if TYPE_CHECKING:
    from retrieval.pairs.pair_reader import PairReader

OWN: Final = DATA / "entailment.json"
"""Weights for a claim with what was found for it."""
CITATIONS: Final = DATA / "citations.json"
"""Weights for a claim with one passage that is cited for it."""
PLACES: Final = 6
"""Maximum number of places that are read for a claim."""
ALONE: Final = np.array([1, 0, 0, 0], np.float32)
"""Weights with which the head counts alone."""
_LEAST: Final = 1e-4
"""Probabilities are kept this far from 0 and 1."""
_NOTHING: Final = -6.0
"""What the reader says where there is nothing to read."""
_KEPT: Final = 4096
"""Number of pairs from which what was read of them is forgotten."""
Pair = tuple[str, str]
"""A claim and what may bear it out."""
Reads = Callable[[Sequence[Pair], Asks], Rows]
"""What a `PairReader` does."""
Texts = Callable[[Case], Sequence[str]]
"""What the reader reads of a case. The text that bears the claim out best counts."""


class ReadingHead:
    def __init__(self, weights: HeadWeights, reader: PairReader, together: Rows, texts: Texts) -> None:
        """`together` has what `weighed` uses."""
        self.weights = weights
        self._together, self._texts = together, texts
        self._reader = _RememberingReader(reader)

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        """Read cases together, which takes less time than one after the other."""
        found = read_by_head(cases, self.weights)
        rows = odds(np.array([each.supported for each in found]), borne_out(self._reader, cases, self._texts))
        said = likely(weighed(rows, self._together))
        return [Reading(float(p), each.best) for p, each in zip(said, found, strict=True)]


class _RememberingReader:
    """A reader of pairs that remembers the last ones: a judge reads again what was read for a citation."""

    def __init__(self, reader: Reads) -> None:
        self._reader = reader
        self._said: dict[tuple[Asks, Pair], float] = {}

    def __call__(self, pairs: Sequence[Pair], asks: Asks) -> Rows:
        known = self._said if len(self._said) < _KEPT else {}
        new = [pair for pair in dict.fromkeys(pairs) if (asks, pair) not in known]
        if new:
            read = self._reader(new, asks).tolist()
            known = known | {(asks, pair): said for pair, said in zip(new, read, strict=True)}
            self._said = known
        return np.array([known[asks, pair] for pair in pairs], np.float32)


def odds(supported: Rows, read: Rows) -> Rows:
    """Return the rows whose weighted sums are the log odds: of the head, of the reader, and 1."""
    sure = np.clip(supported, _LEAST, 1 - _LEAST)
    found: Rows = np.stack((np.log(sure / (1 - sure)), read, np.ones_like(read)), 1).astype(np.float32)
    return found


def weighed(rows: Rows, together: Rows) -> Rows:
    """Return the log odds of both, but at least those of the head with the last number added.

    The reader has learnt that a claim in a passage's own words is likely to be a trap. So where nearly all
    the words fit, the head counts alone.
    """
    found: Rows = np.maximum(rows @ together[:-1], rows[:, 0] + together[-1])
    return found


def likely(odds: Rows) -> Rows:
    """Return the probabilities of log odds."""
    return (1 / (1 + np.exp(-odds))).astype(np.float32)


def borne_out(reader: Reads, cases: Sequence[Case], texts: Texts) -> Rows:
    """Return for each case the log odds of the text that bears its claim out best."""
    pairs: list[Pair] = []
    of: list[int] = []
    for at, case in enumerate(cases):
        claim = written_claim(case.claim, names_for(case.claim))
        told = texts(case)
        pairs += ((claim, text) for text in told)
        of += [at] * len(told)
    read = list(dict.fromkeys(pairs))
    said = dict(zip(read, reader(read, Asks.BEARS_OUT).tolist(), strict=True))
    found: Rows = np.full(len(cases), _NOTHING, np.float32)
    for at, pair in zip(of, pairs, strict=True):
        found[at] = max(found[at], said[pair])
    return found


def as_one(case: Case) -> Sequence[str]:
    """Return the evidence of a case, sentences of one passage, as one text."""
    names = names_for(case.claim)
    told = sorted(case.evidence, key=lambda each: each.span)
    return (" ".join(written_evidence(each, names) for each in told),) if told else ()


def places(case: Case) -> Sequence[str]:
    """Return the parts of the book from which the evidence of a case comes."""
    names = names_for(case.claim)
    if case.context is None or case.signs is None:
        return tuple(dict.fromkeys(written_evidence(each, names) for each in case.evidence[:PLACES]))
    search = search_of(cast_of(case.context.book, case.context.annotations))
    ranges = dict.fromkeys(_ranges(case, search))
    return tuple(
        " ".join(written_evidence(evidence_at(at, case.claim, search), names) for at in sentences)
        for sentences in list(ranges)[:PLACES]
    )


def _ranges(case: Case, search: SentenceSearch) -> Iterator[range]:
    for each in case.evidence:
        inside = search.within(each.span)
        if inside:
            yield search.within(search.place_of(inside[0]))


def write(weights: HeadWeights, together: Rows, story: dict[str, Any]) -> str:
    """Return the file of the weights of both, with the story of their training."""
    arrays = {name: np.round(getattr(weights, name), 4).tolist() for name in ARRAYS}
    numbers = {name: round(getattr(weights, name), 4) for name in NUMBERS}
    told = {"version": VERSION, "features": FEATURES, "layers": weights.layers, "trained": story}
    told |= numbers | arrays | {"together": [round(float(each), 4) for each in together]}
    return json.dumps(told) + "\n"


def read_weights(path: Path, reader: PairReader, texts: Texts) -> ReadingHead:
    """Read the weights. Raises ValueError for those of another version or other features."""
    told = json.loads(path.read_text("utf-8"))
    return ReadingHead(as_read(told, path.name), reader, np.array(told["together"], np.float32), texts)


@cache
def own_head() -> ReadingHead:
    """Return the head that judges a claim by what was found for it."""
    return read_weights(OWN, _reader(), places)


@cache
def citation_head() -> ReadingHead:
    """Return the head that judges a claim by one passage that is cited for it.

    A passage that a search found needs its `supported`; `passage_relevance` has what a citation needs.
    """
    return read_weights(CITATIONS, _reader(), as_one)


def _reader() -> PairReader:
    from retrieval.pairs.pair_reader import loaded  # imports torch

    return loaded(encoder_folder())
