"""`make bench-checking`: how long it takes to check a description of 90 words, offline.

    python -m benchmarks.checking [NOVEL|FOLDER ...] [--words 120000] [--people 12] [--rounds 3] [--cores 2]

Novels are text files, gzipped or not, or folders of them; without any, the project's own novella. They are
read as one text, cut or repeated to the requested length, resolved and indexed. The first 90 words of the
offline writer's text about each main character are then checked twice: as a text by any author (its facts are
found by parsing, and evidence is searched in the whole book), and as the writer's own, which records what it
was composed from. A check includes facts, evidence and verdicts. Engines are warm; sentences that the judge
read for another description are cached, so the first round is also reported separately.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks import texts, timing
from benchmarks.coref import source_of
from benchmarks.tables import Goal, ms, reached, table, under
from benchmarks.timing import Spread
from generation.types import AnswerLimits, Context, Draft, Sentence, Task

WORDS: Final = 120_000
GOAL: Final = 0.150
"""Seconds for one description."""
LENGTH: Final = 90
"""Minimum words of a description, if the book has that much about a character."""


@dataclass(frozen=True, slots=True)
class Checking:
    """Seconds for one description."""

    checks: int
    words: float
    facts: float
    first: Spread
    """The first check of each."""
    again: Spread


@dataclass(frozen=True, slots=True)
class Measured:
    source: str
    words: int
    people: int
    checked: dict[str, Checking]


def goals(measured: Measured) -> list[Goal]:
    return [
        under(f"checking {what}, first time, median ms", round(1000 * found.first.median, 1), 1000 * GOAL)
        for what, found in measured.checked.items()
    ]


def tables(measured: Measured) -> list[Table]:
    shown = table("Checked", "Words", "Facts", "First ms", "p95 ms", "Again ms", "p95 ms")
    for what, found in measured.checked.items():
        spreads = (found.first.median, found.first.p95, found.again.median, found.again.p95)
        shown.add_row(what, f"{found.words:.0f}", f"{found.facts:.1f}", *map(ms, spreads))
    return [shown, reached(goals(measured))]


def measure(text: str, source: str, options: argparse.Namespace) -> Measured:
    from books.reading import read
    from coref.registry import make_resolver
    from generation.answering import examine
    from generation.checking.claims.bundled_parser import native
    from generation.checking.claims.offline_extractor import OfflineExtractor
    from generation.checking.judges.offline_judge import OfflineJudge
    from generation.contexts import make_context
    from generation.writing.offline.composer import OfflineGenerator
    from generation.writing.prompts import make_prompt
    from retrieval import index
    from retrieval.registry import make_embedder, make_retriever

    book = read(text.encode(), name="novel.txt")
    annotations = make_resolver("native").annotate(book)
    embedder = make_embedder("hashing")
    judge, extractor = OfflineJudge(), OfflineExtractor(native)
    checked: dict[str, Checking] = {}
    with tempfile.TemporaryDirectory(prefix="bookworm-checking-") as folder:
        index.build(book, Path(folder), embedder=embedder)
        with index.BookIndex.open(Path(folder), book=book) as opened:
            retriever = make_retriever("bm25", index=opened, annotations=annotations, embedder=embedder)

            def checking(draft: Draft, context: Context) -> tuple[float, int]:
                started = time.perf_counter()
                examined = examine(
                    draft, context=context, judge=judge, retriever=retriever, extractor=extractor
                )
                facts = examined.facts
                return time.perf_counter() - started, len(facts)

            asked = [
                make_context(book, annotations=annotations, people=[person])
                for person in annotations.characters[: options.people]
            ]
            prompts = [make_prompt(context, task=Task.ANALYSIS) for context in asked]
            made = [OfflineGenerator().generate(prompt, AnswerLimits(words=600)) for prompt in prompts]
            drafts = [_cut(draft, LENGTH) for draft in made]
            checking(_anybodys(drafts[0]), asked[0])  # loads lazy imports
            plain = [_anybodys(draft) for draft in drafts]
            for what, kind in (("a text", plain), ("its own answer", drafts)):
                rounds = [
                    [checking(draft, context) for draft, context in zip(kind, asked, strict=True)]
                    for _ in range(1 + options.rounds)
                ]
                checked[what] = _checking(drafts, rounds)
    return Measured(source, len(text.split()), len(asked), checked)


def _cut(draft: Draft, words: int) -> Draft:
    """Return the sentences up to this many words, with the last one in full."""
    kept: list[Sentence] = []
    for sentence in draft.sentences:
        if sum(len(s.text.split()) for s in kept) < words:
            kept.append(sentence)
    return replace(draft, sentences=tuple(kept))


def _anybodys(draft: Draft) -> Draft:
    """Return the same words without their provenance."""
    return replace(draft, sentences=tuple(Sentence(s.text, ()) for s in draft.sentences))


def _checking(drafts: Sequence[Draft], rounds: Sequence[Sequence[tuple[float, int]]]) -> Checking:
    first, *more = rounds
    return Checking(
        checks=sum(map(len, rounds)),
        words=sum(len(d.text.split()) for d in drafts) / len(drafts),
        facts=sum(facts for _, facts in first) / len(first),
        first=timing.spread([seconds for seconds, _ in first]),
        again=timing.spread([seconds for one in more for seconds, _ in one]),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("novels", nargs="*", type=Path)
    parser.add_argument("--words", type=int, default=WORDS, help="how long the novel is")
    parser.add_argument("--people", type=int, default=12, help="main characters who are described")
    parser.add_argument("--rounds", type=int, default=3, help="how often each check is done again")
    parser.add_argument("--cores", type=int, default=2, help="cores that may be used")
    options = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
    source = source_of(options.novels)
    measured = measure(texts.repeated(source.text, options.words), source.told, options)
    found = goals(measured)
    result = asdict(measured) | {"goals": [asdict(goal) for goal in found]}
    print(json.dumps(result, indent=1))
    console = Console(highlight=False, width=120)
    for shown in tables(measured):
        console.print()
        console.print(shown)
    print(timing.save("checking", result), file=sys.stderr)
    return 0 if all(goal.met for goal in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
