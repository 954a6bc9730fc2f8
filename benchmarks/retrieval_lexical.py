"""BM25 by the number of paragraphs: ours, `rank_bm25` and plain `bm25s`, on the same terms.

Ours is built into a folder and opened from it, as in the service. Plain `bm25s` (Lucene's variant, numpy) is
saved to a folder and mapped too. `rank_bm25` has no format: its size and opening time are those of the pickle
that its users keep. Tokenising is common to all three and reported separately.
"""

from __future__ import annotations

import pickle
import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import timing
from benchmarks.timing import Spread
from retrieval import bm25
from retrieval.bm25_statistics import K1, B
from retrieval.tokenizer import terms

K = 80
QUERIES = 200
_SLOWEST = 400_000
"""Total paragraphs that `rank_bm25` may score: at 200,000 it gets two questions."""
_TERMS = (1, 2, 3, 6, 10)

Asked = Sequence[Sequence[str]]
Answers = list[list[float]]
_Answered = tuple[tuple[float, ...], Answers]


@dataclass(frozen=True, slots=True)
class Engine:
    build: float
    """Seconds, with writing if there is something to write."""
    bytes: int
    open: Spread
    query: Spread
    slower: float
    """Its median over ours, for the same questions."""


@dataclass(frozen=True, slots=True)
class Lexical:
    paragraphs: int
    terms: float
    """Seconds to tokenise all paragraphs."""
    engines: dict[str, Engine]
    same: float
    """The share of the questions that plain `bm25s` answers with the same scores in the same order."""


def measure(texts: Sequence[str], *, queries: int = QUERIES) -> Lexical:
    documents: list[list[str]] = []
    making = timing.timed(lambda: documents.extend(map(terms, texts))).median
    asked = questions(documents, queries)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        bm25.build([["a"]], folder / "before")  # loads bm25s, which is not part of building
        ours, answers = _ours(documents, asked, folder / "ours")
        plain, others = _bm25s(documents, asked, folder / "plain", ours)
        rank = _rank(documents, asked[: max(2, min(queries, _SLOWEST // len(texts)))], folder / "rank", ours)
    same = [len(a) == len(b) and np.allclose(a, b) for a, b in zip(answers, others, strict=True)]
    return Lexical(
        len(texts),
        making,
        {"ours": ours.told(ours), "rank_bm25": rank, "bm25s": plain},
        round(sum(same) / len(same), 4),
    )


def questions(documents: Sequence[Sequence[str]], count: int) -> list[list[str]]:
    """Return distinct terms of one paragraph each, few and many: names as well as sentences."""
    drawn = random.Random(0)
    able = [list(dict.fromkeys(document)) for document in documents if document]
    return [
        drawn.sample(own, min(_TERMS[at % len(_TERMS)], len(own)))
        for at, own in enumerate(drawn.choices(able, k=count))
    ]


@dataclass(frozen=True, slots=True)
class _Timed:
    build: float
    bytes: int
    open: Spread
    seconds: tuple[float, ...]
    """For each question."""

    def told(self, ours: _Timed) -> Engine:
        count = len(self.seconds)
        query, own = timing.spread(self.seconds), timing.spread(ours.seconds[:count])
        return Engine(self.build, self.bytes, self.open, query, round(query.median / own.median, 2))


def _asked(ask: Callable[[Sequence[str]], list[float]], asked: Asked) -> _Answered:
    answers: Answers = []
    ask(asked[0])
    taken = [timing.timed(partial(_answer, ask, terms, answers)).median for terms in asked]
    return tuple(taken), answers


def _answer(ask: Callable[[Sequence[str]], list[float]], terms: Sequence[str], answers: Answers) -> None:
    answers.append(ask(terms))


def _ours(documents: Asked, asked: Asked, folder: Path) -> tuple[_Timed, Answers]:
    building = timing.timed(lambda: bm25.build(documents, folder)).median
    opening = timing.timed(lambda: bm25.Bm25.open(folder), runs=10)
    index = bm25.Bm25.open(folder)
    visible = len(index)
    seconds, answers = _asked(lambda t: [s for _, s in index.top(t, K, visible=visible)], asked)
    return _Timed(building, timing.folder_bytes(folder), opening, seconds), answers


def _bm25s(documents: Asked, asked: Asked, folder: Path, ours: _Timed) -> tuple[Engine, Answers]:
    import bm25s

    def build() -> None:
        model = bm25s.BM25(method="lucene", k1=K1, b=B, backend="numpy")
        model.index([list(document) for document in documents], show_progress=False)
        model.save(folder, show_progress=False)

    def load() -> Any:
        return bm25s.BM25.load(folder, mmap=True, show_progress=False)

    building = timing.timed(build).median
    opening = timing.timed(load, runs=10)
    model = load()
    most = min(K, len(documents))

    def ask(terms: Sequence[str]) -> list[float]:
        _, scores = model.retrieve([list(terms)], k=most, show_progress=False)
        return [float(score) for score in scores[0] if score > 0]

    seconds, answers = _asked(ask, asked)
    return _Timed(building, timing.folder_bytes(folder), opening, seconds).told(ours), answers


def _rank(documents: Asked, asked: Asked, path: Path, ours: _Timed) -> Engine:
    from rank_bm25 import BM25Okapi

    made: list[Any] = []
    building = timing.timed(lambda: made.append(BM25Okapi([list(d) for d in documents]))).median
    path.write_bytes(pickle.dumps(made[0]))
    opening = timing.timed(lambda: pickle.loads(path.read_bytes()))
    places = list(range(len(documents)))
    ask = partial(made[0].get_top_n, documents=places, n=K)
    seconds, _ = _asked(lambda terms: ask(list(terms)), asked)
    return _Timed(building, path.stat().st_size, opening, seconds).told(ours)
