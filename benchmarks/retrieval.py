"""Building, opening and asking an index, by the length of the book.

    python -m benchmarks.retrieval [NOVEL ...] [--words 20000 60000 120000] [--embedder minilm]

The novels are read as one text and cut to each length; without any, the project's own novella. Each length is
measured in a fresh process, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from benchmarks import texts, timing
from benchmarks.timing import Spread
from books.reading import read
from coref.registry import make_resolver
from coref.types import Annotations
from retrieval.index import BookIndex, build
from retrieval.protocols import Embedder, Vectors
from retrieval.registry import RETRIEVERS, make_embedder, make_retriever
from retrieval.types import Query

LENGTHS = [5_000, 20_000, 60_000, 120_000, 240_000]
QUESTION = "Who kept the secret of the letter, and what did the family say about it?"


@dataclass(frozen=True, slots=True)
class Indexing:
    words: int
    passages: int
    load_model: float
    build: float
    """Seconds, all together; the model is loaded already."""
    embed: float
    """Seconds of it that the embedder took."""
    index_bytes: int
    open: Spread
    """Until the index may be asked; its parts are mapped when first needed."""
    map: Spread
    """Mapping those parts."""
    queries: dict[str, Spread]
    """Seconds of a whole search by retriever, and with a gate at half of the book."""
    peak_mib: float


def measure(text: str, embedder: str) -> Indexing:
    book = read(text.encode(), name="novel.txt")
    engine = Stopwatch(make_embedder(embedder))
    loading = timing.timed(lambda: engine.embed([QUESTION])).median
    annotations = make_resolver("rules").annotate(book)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        engine.seconds = 0.0
        building = timing.timed(lambda: build(book, folder, embedder=engine)).median
        embedding = engine.seconds
        opening = timing.timed(lambda: BookIndex.open(folder, book=book), runs=20)
        index = BookIndex.open(folder, book=book)
        index.dense.vectors([0])  # loads FAISS
        mapping = timing.timed(lambda: _map(BookIndex.open(folder, book=book)), runs=20)
        return Indexing(
            words=book.word_count,
            passages=len(index),
            load_model=loading,
            build=building,
            embed=round(embedding, 6),
            index_bytes=sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()),
            open=opening,
            map=mapping,
            queries=_ask(index, annotations, engine),
            peak_mib=timing.peak_mib(),
        )


class Stopwatch:
    """An embedder that adds up its time."""

    def __init__(self, engine: Embedder) -> None:
        self._engine = engine
        self.seconds = 0.0

    @property
    def name(self) -> str:
        return self._engine.name

    @property
    def dimension(self) -> int:
        return self._engine.dimension

    def embed(self, asked: Sequence[str]) -> Vectors:
        started = time.perf_counter()
        rows = self._engine.embed(asked)
        self.seconds += time.perf_counter() - started
        return rows


def _map(index: BookIndex) -> None:
    assert len(index.bm25) == len(index.dense)


def _ask(index: BookIndex, annotations: Annotations, engine: Stopwatch) -> dict[str, Spread]:
    who = tuple(c.id for c in annotations.characters[:1])
    found = {}
    for name in RETRIEVERS:
        search = make_retriever(name, index=index, annotations=annotations, embedder=engine).search
        text = "" if name == "mentions" else QUESTION
        for label, upto in ((name, None), (f"{name}, gated", len(index.book.text) // 2)):
            query = Query(text=text, characters=who, upto=upto)
            search(query)
            found[label] = timing.timed(partial(search, query), runs=50)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("novels", nargs="*", type=Path)
    parser.add_argument("--words", nargs="+", type=int, default=LENGTHS, help="lengths to measure")
    parser.add_argument("--embedder", default="minilm")
    options = parser.parse_args(arguments)
    whole = texts.load(options.novels or [texts.NOVELLA])
    cuts = [cut for words in options.words if (cut := texts.first_words(whole, words))]
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh, max_tasks_per_child=1) as pool:
        results = [asdict(pool.submit(measure, cut, options.embedder).result()) for cut in cuts]
    print(json.dumps(results, indent=1))
    print(timing.save("retrieval", results), file=sys.stderr)


if __name__ == "__main__":
    main()
