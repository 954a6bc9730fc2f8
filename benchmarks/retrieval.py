"""`make bench-retrieval`: finding passages, compared with other libraries, by the number of paragraphs.

    python -m benchmarks.retrieval [NOVEL|FOLDER ...] [--sizes 2000 20000 200000] [--embedded 5000]
                                   [--rounds 1] [--asked 5000] [--runs 5] [--books 100] [--resolver native]

Novels are text files, gzipped or not, or folders of them; without any, the project's own novella. Their
paragraphs are repeated until there are enough, with a mark from the second time on so that all differ. Each
part is measured in a fresh process, one after the other: BM25 (`retrieval_lexical`), nearest vectors
(`retrieval_dense`), embedding, whole questions, and the memory of open books. A part with the value 0 is left
out.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from benchmarks import texts, timing
from benchmarks.coref import source_of
from benchmarks.tables import Goal, at_least, ms, reached, table, under
from service.cli.main import settle

if TYPE_CHECKING:
    from benchmarks.retrieval_asking import Asking
    from benchmarks.retrieval_dense import Nearest
    from benchmarks.retrieval_embedding import Embedding
    from benchmarks.retrieval_lexical import Lexical
    from benchmarks.retrieval_shelf import OpenBooks

SIZES = [2_000, 20_000, 200_000]


@dataclass(frozen=True, slots=True)
class Measured:
    """The results; None for the parts that were left out."""

    source: str
    lexical: Sequence[Lexical]
    dense: Sequence[Nearest]
    embedding: Embedding | None
    asking: Asking | None
    open_books: OpenBooks | None


def goals(measured: Measured) -> list[Goal]:
    """Return the goals with the measured values."""
    found: list[Goal] = []
    if embedding := measured.embedding:
        found.append(at_least("embedding, times as fast as sentence-transformers", embedding.faster, 2.5))
        found.append(under("embedding, 1 - cosine at most", embedding.error, 1e-3))
    for lexical in measured.lexical:
        name = f"BM25, times as fast as rank_bm25 at {lexical.paragraphs:,}"
        found.append(at_least(name, lexical.engines["rank_bm25"].slower, 50))
    if asking := measured.asking:
        for name, spread in asking.queries.items():
            found.append(under(f"{name} at {asking.passages:,}, p95 in ms", round(1000 * spread.p95, 2), 10))
        found.append(under("opening an index, ms", round(1000 * asking.open.median, 2), 20))
        found.append(under("opening and mapping all its parts, ms", round(1000 * asking.map.median, 2), 20))
    if books := measured.open_books:
        found.append(under(f"{books.books} open books, MiB", books.asked.resident, 500))
    return found


def tables(measured: Measured) -> list[Table]:
    found = []
    if measured.lexical:
        shown = table("BM25", "Paragraphs", "Build s", "MB", "Open ms", "Query ms", "p95 ms", "Slower")
        for lexical in measured.lexical:
            for name, e in lexical.engines.items():
                times = (ms(e.open.median), ms(e.query.median), ms(e.query.p95))
                size = f"{lexical.paragraphs:,}"
                shown.add_row(name, size, f"{e.build:.2f}", f"{e.bytes / 1e6:.1f}", *times, f"{e.slower:.1f}")
        found.append(shown)
    if measured.dense:
        shown = table("Vectors", "Build s", "MB", "Open ms", "Query ms", "Gated ms", "numpy ms", "Found")
        for d in measured.dense:
            spreads = (d.open, d.query, d.gated, d.numpy)
            made = (f"{d.paragraphs:,}", f"{d.build:.2f}", f"{d.bytes / 1e6:.1f}")
            shown.add_row(*made, *(ms(spread.median) for spread in spreads), f"{d.found:.3f}")
        found.append(shown)
    if measured.asking:
        shown = table(f"Questions at {measured.asking.passages:,}", "p50 ms", "p95 ms")
        for name, spread in measured.asking.queries.items():
            shown.add_row(name, ms(spread.median), ms(spread.p95))
        found.append(shown)
    return [*found, reached(goals(measured))]


def lexical(paragraphs: Sequence[str]) -> Lexical:
    from benchmarks import retrieval_lexical

    return retrieval_lexical.measure(paragraphs)


def dense(paragraphs: int) -> Nearest:
    from benchmarks import retrieval_dense

    return retrieval_dense.measure(paragraphs)


def embedding(paragraphs: Sequence[str], rounds: int) -> Embedding:
    from benchmarks import retrieval_embedding

    return retrieval_embedding.measure(paragraphs, rounds=rounds)


def asking(paragraphs: Sequence[str], runs: int) -> Asking:
    from benchmarks import retrieval_asking

    return retrieval_asking.measure(paragraphs, runs=runs)


def ingest(text: str, folder: Path, resolver: str) -> str:
    from benchmarks import retrieval_shelf

    return retrieval_shelf.ingest(text, folder, resolver)


def open_books(book_id: str, folder: Path, resolver: str, books: int) -> OpenBooks:
    from benchmarks import retrieval_shelf

    return retrieval_shelf.measure(book_id, folder, resolver, books)


def _alone(work: Callable[..., Any], *arguments: object) -> Any:
    """Run in a fresh process."""
    print(work.__name__, *(a for a in arguments if isinstance(a, int)), file=sys.stderr)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def _open_books(text: str, options: argparse.Namespace) -> OpenBooks:
    with tempfile.TemporaryDirectory() as scratch:
        folder, resolver = Path(scratch), options.resolver
        book_id = _alone(ingest, text, folder, resolver)
        found: OpenBooks = _alone(open_books, book_id, folder, resolver, options.books)
    return found


def _measured(options: argparse.Namespace) -> Measured:
    source = source_of(options.novels)

    def some(count: int) -> list[str]:
        return texts.marked(source.text, count)

    return Measured(
        source=source.told.replace("cut or repeated", "cut or repeated with marks"),
        lexical=[_alone(lexical, some(size)) for size in options.sizes if size],
        dense=[_alone(dense, size) for size in options.sizes if size],
        embedding=_alone(embedding, some(options.embedded), options.rounds) if options.embedded else None,
        asking=_alone(asking, some(options.asked), options.runs) if options.asked else None,
        open_books=_open_books("\n\n".join(some(options.shelved)), options) if options.books else None,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("novels", nargs="*", type=Path)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="paragraphs of BM25 and vectors")
    parser.add_argument("--embedded", type=int, default=5_000, help="paragraphs to embed")
    parser.add_argument("--rounds", type=int, default=1, help="how often they are embedded by each")
    parser.add_argument("--asked", type=int, default=5_000, help="paragraphs of the book that is asked")
    parser.add_argument("--runs", type=int, default=5, help="how often it is asked each question")
    parser.add_argument("--books", type=int, default=100, help="books to open")
    parser.add_argument("--shelved", type=int, default=2_000, help="paragraphs of each of them")
    parser.add_argument("--resolver", default="native", help="who resolves them")
    options = parser.parse_args(arguments)
    settle()
    measured = _measured(options)
    result = asdict(measured) | {"goals": [asdict(goal) for goal in goals(measured)]}
    print(json.dumps(result, indent=1))
    console = Console(highlight=False, width=120)
    for shown in tables(measured):
        console.print()
        console.print(shown)
    print(timing.save("retrieval", result), file=sys.stderr)


if __name__ == "__main__":
    main()
