"""The parts of an ingest and their shares, beside one pass of the encoder in 32 bits over the same pieces.

    python -m benchmarks.ingest [NOVEL|FOLDER ...] [--words 100000] [--cores 2]

Novels are cut or repeated as by `benchmarks.coref`. The stages are those of the service, and run in this
process one after the other. Each part has its own seconds, without those of the parts within it; other parts
go on while the next passages are encoded. Waiting for weights is not part of any. The time of the processors
is that of all threads: it says what an ingest costs where other programs run and its seconds say little.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks import texts, timing
from benchmarks.coref import bind, source_of
from books.limits import Limits
from books.reading import read
from books.types import Book
from coref.encoder_bits import EncoderBits
from coref.protocols import Resolver
from evaluation.coref.speed import peak_memory
from retrieval.protocols import Embedder
from service.cli.main import settle
from service.jobs.stages import WRITING, Upload, Work

_BEFORE = b'It was late. "Come in, Harriet," said Emma Woodhouse. She had waited for her.'
"""Taken in before the clock starts, so that everything loaded late is in memory."""
_WINDOWS = 4
"""Windows that the encoder in 32 bits is given at a time, as the resolver does."""


@dataclass(frozen=True, slots=True)
class Ingest:
    words: int
    bits: EncoderBits
    """The precision that is fastest here."""
    seconds: float
    processor_seconds: float
    peak_mib: float
    parts: Mapping[str, float]
    """Their seconds. Some are side by side."""
    pass_seconds: float
    """Of one pass in 32 bits over the book's pieces."""
    pass_processor_seconds: float
    ratio: float
    """The seconds of the ingest, divided by those of that pass."""
    processor_ratio: float


class Clock:
    """Charges the time of each thread to the innermost part that it is in."""

    def __init__(self) -> None:
        self.taken: dict[str, float] = defaultdict(float)
        self._threads = threading.local()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        parts: list[str] = self._threads.__dict__.setdefault("parts", [])
        self._charge(parts)
        parts.append(name)
        try:
            yield
        finally:
            self._charge(parts)
            parts.pop()

    def watch(self, name: str, holder: Any, function: str) -> None:
        """Charge every call of a function to a part."""
        work: Callable[..., Any] = getattr(holder, function)

        def timed(*arguments: Any, **named: Any) -> Any:
            with self.part(name):
                return work(*arguments, **named)

        setattr(holder, function, timed)

    def _charge(self, parts: Sequence[str]) -> None:
        now = time.perf_counter()
        if parts:
            self.taken[parts[-1]] += now - self._threads.last
        self._threads.last = now


def ingest(data: bytes) -> Ingest:
    """Take in a book as the service does, in the precision that is fastest here."""
    from coref.native.encoder_speed import fastest_of, measure_rates
    from coref.registry import ResolverSetup, make_resolver
    from retrieval.registry import make_embedder

    bits = fastest_of(measure_rates())
    engines = (
        make_resolver("native", setup=ResolverSetup(bits=lambda: bits)),
        make_embedder(bits=lambda: bits),
    )
    _take_in(_BEFORE, *engines)
    clock = Clock()
    _watch(clock, engines[1])
    started = time.perf_counter(), time.process_time()
    with clock.part("read and store"):
        _take_in(data, *engines)
    seconds, busy = time.perf_counter() - started[0], time.process_time() - started[1]
    peak = peak_memory()
    book = read(data, name="novel.txt")
    pass_seconds, pass_busy = _encoder_pass(book)
    return Ingest(
        words=book.word_count,
        bits=bits,
        seconds=round(seconds, 2),
        processor_seconds=round(busy, 2),
        peak_mib=round(peak / 2**20, 1),
        parts={name: round(taken, 2) for name, taken in clock.taken.items()},
        pass_seconds=round(pass_seconds, 2),
        pass_processor_seconds=round(pass_busy, 2),
        ratio=round(seconds / pass_seconds, 2),
        processor_ratio=round(busy / pass_busy, 2),
    )


def _watch(clock: Clock, embedder: Embedder) -> None:
    import retrieval.index
    from coref.native import book_pass, groundwork, resolver, steady_shapes, who_is_who
    from coref.native.book_parser import ParseCollector
    from coref.speech import speakers

    clock.watch("encode", steady_shapes, "encode")
    clock.watch("grammar", ParseCollector, "hear")
    clock.watch("grammar", ParseCollector, "parse")
    clock.watch("link", book_pass, "read_book")
    clock.watch("names", groundwork, "lay")
    clock.watch("cast", who_is_who, "draft_cast")
    clock.watch("cast", who_is_who, "make_sense")
    clock.watch("cast", resolver, "assemble")
    clock.watch("speakers", speakers, "prepared")
    clock.watch("speakers", speakers, "decide")
    clock.watch("traits", resolver, "find_traits")
    clock.watch("index", retrieval.index, "build")
    clock.watch("index: encode", embedder, "embed_parts")


def _take_in(data: bytes, resolver: Resolver, embedder: Embedder) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, done = Path(folder) / "novel.txt", Path(folder) / "done"
        source.write_bytes(data)
        done.mkdir()
        upload = Upload(hashlib.sha256(data).hexdigest(), "novel.txt")
        for stage in WRITING:
            assert stage.run is not None
            stage.run(Work(upload, source, done, done, resolver, embedder, Limits(), lambda _: None))


def _encoder_pass(book: Book) -> tuple[float, float]:
    """Return the seconds, and those of the processors, of a plain pass in 32 bits."""
    import torch

    from coref.native.batching import batch_of
    from coref.native.book_pass import passages
    from coref.native.encoder import load_encoder
    from coref.native.groundwork import lay
    from coref.native.minilm import encoder_folder
    from coref.native.word_pieces import WordPieces

    folder = encoder_folder()
    encoder, pieces, ground = load_encoder(folder).eval(), WordPieces(folder), lay(book)
    batches = [
        batch_of(ground.words.document(within), pieces) for within in passages(ground.words, ground.chapters)
    ]
    with torch.inference_mode():
        encoder(batches[0].pieces[:_WINDOWS], batches[0].present[:_WINDOWS])
        started = time.perf_counter(), time.process_time()
        for batch in batches:
            for at in range(0, len(batch.pieces), _WINDOWS):
                encoder(batch.pieces[at : at + _WINDOWS], batch.present[at : at + _WINDOWS])
    return time.perf_counter() - started[0], time.process_time() - started[1]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("novels", nargs="*", type=Path)
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args(arguments)
    source = source_of(options.novels)
    settle()
    os.environ["OMP_NUM_THREADS"] = str(options.cores)
    bind(options.cores)
    found = ingest(texts.repeated(source.text, options.words).encode())
    result = {"book": source.told, "cores": options.cores, **asdict(found)}
    print(json.dumps(result, indent=1))
    print(timing.save("ingest", result), file=sys.stderr)


if __name__ == "__main__":
    main()
