"""`make bench-story`: offline summaries of all chapters, of the book, and the recap, by length of the book.

    python -m benchmarks.story [NOVEL|FOLDER ...] [--words 10000 100000 300000 1000000] [--cores 2]
                               [--resolver native] [--embedder minilm]

Novels are text files, gzipped or not, or folders of them; without any, the project's own novella. They are
read as one text, which is cut or repeated to each length. The book is resolved and indexed in one process,
and told in another, which opens what the first has stored, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from rich.console import Console
from rich.table import Table

from benchmarks import texts, timing
from benchmarks.coref import alone, bind, source_of
from benchmarks.tables import Goal, reached, table, under
from books.reading import read
from service.cli.main import settle

if TYPE_CHECKING:
    from coref.types import Annotations
    from generation.types import Draft
    from retrieval.index import BookIndex

LENGTHS: Final = [10_000, 100_000, 300_000, 1_000_000]
T = TypeVar("T")
GOAL: Final = 5.0
"""Seconds for the summaries of all chapters of a book of 100,000 words."""
GOAL_WORDS: Final = 101_000
"""A book is cut at the end of a paragraph."""


@dataclass(frozen=True, slots=True)
class Took:
    seconds: float
    processor: float
    """Processor seconds, which other work on the machine increases less."""


@dataclass(frozen=True, slots=True)
class Telling:
    words: int
    chapters: int
    ingest: float
    """Seconds to resolve and index the book, before it is told."""
    opening: Took
    """Opening what is stored."""
    summaries: Took
    """The summaries of all chapters, the first of which scores all sentences of the book."""
    book: Took
    """The summary of the book after that."""
    recap: Took
    """The recap after that, which reads who the people are."""
    peak_mib: float
    """Of the whole process, with everything that is open."""


def goals(told: Sequence[Telling]) -> list[Goal]:
    """Return the goals that the lengths say something about."""
    return [
        under(f"summaries of {one.chapters} chapters, {one.words:,} words, s", one.summaries.seconds, GOAL)
        for one in told
        if one.words <= GOAL_WORDS
    ]


def tables(told: Sequence[Telling]) -> list[Table]:
    shown = table(
        "Words", "Chapters", "Ingest", "Open", "All chapters", "Book", "Recap", "MiB"
    )  # seconds (processor)
    for one in told:
        steps = (one.opening, one.summaries, one.book, one.recap)
        seconds = (f"{step.seconds:.2f} ({step.processor:.2f})" for step in steps)
        shown.add_row(
            f"{one.words:,}", str(one.chapters), f"{one.ingest:.0f}", *seconds, f"{one.peak_mib:.0f}"
        )
    return [shown, reached(goals(told))]


def stored(text: str, folder: Path, options: argparse.Namespace) -> float:
    """Resolve and index the book into a folder. Return the seconds."""
    bind(options.cores)
    import coref.storage
    from coref.registry import make_resolver
    from retrieval import index
    from retrieval.registry import make_embedder

    book = read(text.encode(), name="novel.txt")
    started = time.perf_counter()
    coref.storage.save(make_resolver(options.resolver).annotate(book), folder / coref.storage.FILE)
    index.build(book, folder / "index", embedder=make_embedder(options.embedder))
    return time.perf_counter() - started


def took(work: Callable[[], T]) -> tuple[T, Took]:
    started, before = time.perf_counter(), time.process_time()
    made = work()
    return made, Took(round(time.perf_counter() - started, 3), round(time.process_time() - before, 3))


def telling(text: str, folder: Path, ingest: float, options: argparse.Namespace) -> Telling:
    bind(options.cores)
    import coref.storage
    from generation.answering import default_words
    from generation.contexts import make_context
    from generation.story.people_near import people_near
    from generation.types import AnswerLimits, Task
    from generation.writing.offline.composer import OfflineGenerator
    from generation.writing.prompts import make_prompt
    from retrieval.events.sentences import event_sentences
    from retrieval.index import BookIndex
    from retrieval.telling.sentences import introducing_sentences

    def opened() -> tuple[Annotations, BookIndex]:
        book = read(text.encode(), name="novel.txt")
        annotations = coref.storage.load(folder / coref.storage.FILE)
        return annotations, BookIndex.open(folder / "index", book=book)

    def tell(task: Task, chapter: int | None = None) -> Draft:
        near = people_near(context) if task is Task.RECAP else ()
        lines = [line for p in near for line in introducing_sentences(index, annotations, p.id)]
        events = event_sentences(index, annotations)
        prompt = make_prompt(context, task=task, events=events, telling=lines, chapter=chapter)
        words = default_words(task, of_chapter=chapter is not None)
        return OfflineGenerator().draft(prompt, AnswerLimits(words=words))

    (annotations, index), opening = took(opened)
    with index:
        book = index.book
        context = make_context(book, annotations=annotations)
        _, summaries = took(lambda: [tell(Task.SUMMARY, chapter.index) for chapter in book.chapters])
        _, whole = took(lambda: tell(Task.SUMMARY))
        _, recap = took(lambda: tell(Task.RECAP))
    return Telling(
        book.word_count,
        len(book.chapters),
        round(ingest, 1),
        opening,
        summaries,
        whole,
        recap,
        timing.peak_mib(),
    )


def measure(text: str, options: argparse.Namespace) -> Telling:
    with tempfile.TemporaryDirectory(prefix="bookworm-story-") as name:
        folder = Path(name)
        ingest: float = alone(stored, text, folder, options)
        found: Telling = alone(telling, text, folder, ingest, options)
        return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("novels", nargs="*", type=Path)
    parser.add_argument("--words", nargs="+", type=int, default=LENGTHS, help="lengths to measure")
    parser.add_argument("--cores", type=int, default=2, help="cores that may be used")
    parser.add_argument("--resolver", default="native", help="who resolves the characters")
    parser.add_argument("--embedder", default="minilm", help="who makes the vectors")
    options = parser.parse_args(arguments)
    settle()
    source = source_of(options.novels)
    told = [measure(texts.repeated(source.text, words), options) for words in options.words]
    found = goals(told)
    result = {
        "book": source.told,
        "resolver": options.resolver,
        "embedder": options.embedder,
        "cores": options.cores,
        "by_length": [asdict(one) for one in told],
        "goals": [asdict(goal) for goal in found],
    }
    print(json.dumps(result, indent=1))
    console = Console(highlight=False, width=120)
    for shown in tables(told):
        console.print()
        console.print(shown)
    print(timing.save("story", result), file=sys.stderr)
    return 0 if all(goal.met for goal in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
