"""Time and peak memory of `bookworm annotate`, as a process of its own, including start-up.

    python -m benchmarks.annotate [NOVEL ...] [--runs 3] [--resolvers native rules]

Novels are text files, gzipped or not; without any, the project's own novella.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import texts, timing


@dataclass(frozen=True, slots=True)
class Annotating:
    novel: str
    resolver: str
    words: int
    seconds: float
    """Median over the runs."""
    words_per_second: int
    peak_mib: float
    """Highest over the runs."""
    runs: int
    characters: int
    mentions: int
    quotes: int


def measure(novel: Path, *, resolver: str, runs: int) -> Annotating:
    words = len(texts.load([novel]).split())
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "annotations.json"
        program = Path(sys.executable).with_name("bookworm")
        command: list[str | Path] = [program, "annotate", novel, "--resolver", resolver, "-o", out]
        taken = [timing.run(command) for _ in range(runs)]
        document = json.loads(out.read_text("utf-8"))
    seconds = statistics.median(t.seconds for t in taken)
    return Annotating(
        novel=novel.name,
        resolver=resolver,
        words=words,
        seconds=seconds,
        words_per_second=round(words / seconds),
        peak_mib=max(t.peak_mib for t in taken),
        runs=runs,
        characters=len(document["characters"]),
        mentions=len(document["mentions"]),
        quotes=len(document["quotes"]),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("novels", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--resolvers", nargs="+", default=["native", "rules"])
    options = parser.parse_args(arguments)
    novels = options.novels or [texts.NOVELLA]
    results = [
        asdict(measure(novel, resolver=resolver, runs=options.runs))
        for novel in novels
        for resolver in options.resolvers
    ]
    print(json.dumps(results, indent=1))
    print(timing.save("annotate", results), file=sys.stderr)


if __name__ == "__main__":
    main()
