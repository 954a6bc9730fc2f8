"""Statistics of a data set: how many books and texts, how long they are, and how much they copy.

As in BookWorm's tables 1 and 6: words and sentences of the books and of the texts, and the share of a
description's n-grams that no analysis of the same character has. Coverage, density and compression (Grusky et
al. 2018) measure how much of a text is copied word for word from its book.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from books.types import Book
from evaluation.datasets.bookworm import of_task
from evaluation.datasets.pairing import Work
from evaluation.datasets.types import DatasetEntry, Pair
from evaluation.metrics.ngrams import Article, compression, coverage, density, novel_ngrams
from generation.types import Task
from retrieval import sentences
from retrieval.passages import told

NGRAMS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class TextLength:
    """The length of a story, or of a text."""

    words: int
    sentences: int


@dataclass(frozen=True, slots=True)
class Copied:
    coverage: float
    """The share of words that occur in the book, in a run with others or alone."""
    density: float
    """The mean length of the run that a word is in."""
    compression: float
    """Words of the book per word of the text."""


@dataclass(frozen=True, slots=True)
class TaskStatistics:
    """Statistics of one task's part of the data."""

    books: int
    samples: int
    characters_a_book: float
    input_words: float | None
    """Means over the samples with a book, whereas the output's are over all samples."""
    input_sentences: float | None
    output_words: float
    output_sentences: float
    copied: Copied | None
    """None where no book is available."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """The overlap of descriptions with the analyses of the same people."""

    characters: int
    novel: Mapping[int, float | None]
    """By n: the share of a description's n-grams that the analyses lack, averaged over characters."""


def of_texts(
    entries: Sequence[DatasetEntry], task: Task, measured: Mapping[int, tuple[TextLength, Copied | None]]
) -> TaskStatistics | None:
    """Return None where there are none. `measured` maps an entry's line to the length of its book."""
    mine = of_task(entries, task)
    if not mine:
        return None
    people: dict[Work, set[str]] = defaultdict(set)
    for entry in mine:
        people[entry.work].add(entry.character.casefold())
    lengths = [length_of(entry.text) for entry in mine]
    stories = [measured[entry.line][0] for entry in mine if entry.line in measured]
    copied = [found for entry in mine if (found := measured.get(entry.line, (None, None))[1])]
    return TaskStatistics(
        books=len(people),
        samples=len(mine),
        characters_a_book=fmean(len(those) for those in people.values()),
        input_words=fmean(s.words for s in stories) if stories else None,
        input_sentences=fmean(s.sentences for s in stories) if stories else None,
        output_words=fmean(length.words for length in lengths),
        output_sentences=fmean(length.sentences for length in lengths),
        copied=_mean(copied),
    )


def measure(
    entries: Sequence[DatasetEntry], pairs: Mapping[Work, Pair], open_book: Callable[[Path], Book]
) -> dict[int, tuple[TextLength, Copied | None]]:
    """Measure each entry with a book, by its line; each book is opened once and then freed."""
    by_book: dict[Path, list[DatasetEntry]] = defaultdict(list)
    for entry in entries:
        if entry.work in pairs:
            by_book[pairs[entry.work].book.path].append(entry)
    found: dict[int, tuple[TextLength, Copied | None]] = {}
    for path, mine in by_book.items():
        stretches = story(open_book(path))
        length = _sum(length_of(stretch) for stretch in stretches)
        article = Article("\n".join(stretches))
        found |= {entry.line: (length, copied(article, entry.text)) for entry in mine}
    return found


def story(book: Book) -> list[str]:
    """Return the paragraphs of a story, without headings and excluded parts."""
    return [book.slice(paragraph.span) for paragraph in told(book)]


def length_of(text: str) -> TextLength:
    """Return the length of a text; words are separated by spaces."""
    return TextLength(len(text.split()), len(sentences.split(text)))


def copied(article: Article, text: str) -> Copied | None:
    parts = coverage(article, text), density(article, text), compression(article, text)
    return None if None in parts else Copied(*(part or 0.0 for part in parts))


def between_tasks(entries: Sequence[DatasetEntry]) -> Overlap:
    """Compare the people who have both a description and an analysis, by any author."""
    texts: dict[tuple[Work, str], dict[Task, list[str]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        texts[entry.work, entry.character.casefold()][entry.task].append(entry.text)
    both = [t for t in texts.values() if t[Task.DESCRIPTION] and t[Task.ANALYSIS]]
    novel: dict[int, float | None] = {}
    for n in NGRAMS:
        shares = [novel_ngrams("\n".join(t[Task.DESCRIPTION]), "\n".join(t[Task.ANALYSIS]), n) for t in both]
        known = [share for share in shares if share is not None]
        novel[n] = fmean(known) if known else None
    return Overlap(len(both), novel)


def _sum(lengths: Iterable[TextLength]) -> TextLength:
    every = list(lengths)
    return TextLength(sum(each.words for each in every), sum(each.sentences for each in every))


def _mean(found: Sequence[Copied]) -> Copied | None:
    if not found:
        return None
    return Copied(
        fmean(each.coverage for each in found),
        fmean(each.density for each in found),
        fmean(each.compression for each in found),
    )
