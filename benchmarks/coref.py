"""`make bench-coref`: coreference by the length of the book, and the shapes of BookNLP's networks.

    python -m benchmarks.coref [NOVEL|FOLDER ...] [--words 10000 100000 300000 1000000] [--cores 2]
                               [--resolver native] [--against small big]

Novels are text files, gzipped or not, or folders of them; without any, the project's own novella. They are
read as one text, which is cut or repeated to each length. Each length is read in a fresh process, on a fixed
number of cores, so that its peak memory is its own. Loading weights is not part of the time; it is reported
separately.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks import texts, timing
from books.reading import read
from books.types import Book
from evaluation.coref.speed import peak_memory
from service.cli.main import settle

LENGTHS = [10_000, 100_000, 300_000, 1_000_000]
COMPARED = 100_000
"""Words of the book that BookNLP's networks are given: the measured length nearest to this."""
NOT_MEASURED = "not measured: no GPU is here"
NOT_USED = "not measured: the resolver leaves the GPU alone"
_BEFORE = 'It was late. "Come in, Harriet," said Emma Woodhouse. She had waited for her.'
"""Read before the clock starts, so that everything loaded late is in memory."""


@dataclass(frozen=True, slots=True)
class Source:
    text: str
    told: str


@dataclass(frozen=True, slots=True)
class Resolving:
    words: int
    seconds: float
    words_per_second: int
    peak_mib: float
    """Of the whole process, with weights and book."""
    load: float
    """Time until the resolver was ready: imports, weights, a first short text."""
    characters: int
    mentions: int
    quotes: int


@dataclass(frozen=True, slots=True)
class Beside:
    """BookNLP's networks on the same book; their time divided by the resolver's."""

    seconds: float
    parts: dict[str, float]
    ratio: float


def resolving(text: str, resolver: str, cores: int) -> Resolving:
    bind(cores)
    from coref.registry import make_resolver

    book = _book(text)
    started = time.perf_counter()
    engine = make_resolver(resolver)
    engine.annotate(_book(_BEFORE))
    ready = time.perf_counter()
    annotations = engine.annotate(book)
    seconds = time.perf_counter() - ready
    return Resolving(
        words=book.word_count,
        seconds=round(seconds, 3),
        words_per_second=round(book.word_count / seconds),
        peak_mib=round(peak_memory() / 2**20, 1),
        load=round(ready - started, 3),
        characters=len(annotations.characters),
        mentions=len(annotations.mentions),
        quotes=len(annotations.quotes),
    )


def shapes(text: str, name: str, cores: int, device: str) -> dict[str, float]:
    """Return the time of each of BookNLP's networks in seconds."""
    bind(cores)
    from benchmarks.booknlp_shapes import SHAPES, reading_of, timed

    return asdict(timed(reading_of(_book(text)), SHAPES[name], device=device))


def on_gpu(text: str, resolver: str, cores: int) -> Resolving | None:
    """Return None when the resolver did not use the GPU."""
    found = resolving(text, resolver, cores)
    import torch

    return found if torch.cuda.max_memory_allocated() else None


def has_gpu() -> bool:
    import torch

    return bool(torch.cuda.is_available())


def growth(times: Sequence[Resolving]) -> float | None:
    """Return the exponent of growth, 1 for linear time, by least squares over the logarithms."""
    if len({found.words for found in times}) < 2:
        return None
    slope, _ = statistics.linear_regression(
        [math.log(found.words) for found in times], [math.log(found.seconds) for found in times]
    )
    return round(slope, 3)


def source_of(paths: Sequence[Path]) -> Source:
    files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.glob("*.txt*")))]
    if not files:
        return Source(texts.load([texts.NOVELLA]), "the project's own novella, repeated")
    text = texts.load(files)
    return Source(text, f"{len(files)} novels ({len(text.split()):,} words), cut or repeated")


def bind(cores: int) -> None:
    """Bind to cores where the system can; elsewhere only the number of threads is limited."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def _book(text: str) -> Book:
    return read(text.encode(), name="novel.txt")


def alone(work: Callable[..., Any], *arguments: object, gpu: bool = False) -> Any:
    """Run in a fresh process, which sees a GPU only when it is to use it."""
    os.environ["CUDA_VISIBLE_DEVICES"] = "0" if gpu else ""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def _beside(text: str, against: Sequence[str], seconds: float, cores: int, device: str) -> dict[str, Beside]:
    found = {}
    for name in against:
        parts = alone(shapes, text, name, cores, device, gpu=device == "cuda")
        total = sum(parts.values())
        found[name] = Beside(
            round(total, 3), {k: round(v, 3) for k, v in parts.items()}, round(total / seconds, 2)
        )
    return found


def _gpu(text: str, options: argparse.Namespace) -> Any:
    if not alone(has_gpu, gpu=True):
        return NOT_MEASURED
    found = alone(on_gpu, text, options.resolver, options.cores, gpu=True)
    if found is None:
        return NOT_USED
    beside = _beside(text, options.against, found.seconds, options.cores, "cuda")
    return {"resolver": asdict(found), "booknlp": {name: asdict(b) for name, b in beside.items()}}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("novels", nargs="*", type=Path)
    parser.add_argument("--words", nargs="+", type=int, default=LENGTHS, help="lengths to measure")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--resolver", default="native")
    parser.add_argument("--against", nargs="*", default=["small"], choices=["small", "big"])
    options = parser.parse_args(arguments)
    source = source_of(options.novels)
    settle()
    os.environ["OMP_NUM_THREADS"] = str(options.cores)
    times: dict[int, Resolving] = {}
    for words in options.words:
        print(f"{words:,} words", file=sys.stderr)
        cut = texts.repeated(source.text, words)
        times[words] = alone(resolving, cut, options.resolver, options.cores)
        print(f"  {times[words]}", file=sys.stderr)
    print("BookNLP's networks", file=sys.stderr)
    same = min(times, key=lambda words: abs(words - COMPARED))
    compared = texts.repeated(source.text, same)
    beside = _beside(compared, options.against, times[same].seconds, options.cores, "cpu")
    result = {
        "book": source.told,
        "resolver": options.resolver,
        "cores": options.cores,
        "by_length": [asdict(found) for found in times.values()],
        "growth": growth(list(times.values())),
        "booknlp": {"words": times[same].words, **{name: asdict(found) for name, found in beside.items()}},
        "gpu": _gpu(compared, options),
    }
    print(json.dumps(result, indent=1))
    print(timing.save("coref", result), file=sys.stderr)


if __name__ == "__main__":
    main()
