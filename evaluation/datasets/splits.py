"""Assign books to training, validation and test, and check that they are kept apart.

A model that has seen a book describes its characters from memory. So books are assigned, not samples. Two
books are the same if their titles are, however they are written, or their texts.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from generation.training.errors import TrainingLeak
from generation.training.types import DataSplit, PlacedSample, TrainingSample

SHARES = {DataSplit.VALIDATION: 0.1, DataSplit.TEST: 0.1}
"""Shares of the titles. The rest is trained on."""
_SUBTITLE = re.compile(r"[:;(\[]|,\s+or\b|\s+or,\s")
_ARTICLE = re.compile(r"^(?:the|an?)\s+")
_TOLD = 5

Known = tuple[TrainingSample, str, str]
"""A sample, its book's title and the hash of its text."""


def normalised(title: str) -> str:
    """Return a title without accents, case, punctuation, leading article and subtitle."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", title) if not unicodedata.combining(c))
    plain = plain.casefold().strip()
    short = re.sub(r"[\W_]+", " ", _SUBTITLE.split(plain)[0]).strip()
    return _ARTICLE.sub("", short or re.sub(r"[\W_]+", " ", plain).strip())


def place(known: Sequence[Known], *, seed: int) -> tuple[PlacedSample, ...]:
    """Return every sample with its split: its own, that of its book, or a random one with its book."""
    books = _same_books(known)
    named = {
        book: sample.split
        for (sample, *_), book in zip(known, books, strict=True)
        if sample.split is not None
    }
    splits = named | _dealt(sorted(set(books) - set(named)), seed)
    placed = tuple(
        PlacedSample(sample, title, text, sample.split or splits[book])
        for (sample, title, text), book in zip(known, books, strict=True)
    )
    refuse_leaks(placed)
    return placed


def refuse_leaks(placed: Sequence[PlacedSample]) -> None:
    """Raise an error if a book, or a reference, is in two splits."""
    titles: dict[str, set[DataSplit]] = defaultdict(set)
    references: dict[str, set[DataSplit]] = defaultdict(set)
    lines: dict[str, list[PlacedSample]] = defaultdict(list)
    books = _same_books([(each.sample, each.title, each.text_sha256) for each in placed])
    for each, book in zip(placed, books, strict=True):
        titles[book].add(each.split)
        reference = " ".join(each.sample.reference.casefold().split())
        references[reference].add(each.split)
        lines[book].append(each)
        lines[reference].append(each)
    wrong = [f"The book {_titles(lines[book])} is in {_joined(splits)}." for book, splits in _shared(titles)]
    wrong += [
        f"The reference of {_lines(lines[text])} is in {_joined(splits)}: “{_begin(text)}”."
        for text, splits in _shared(references)
    ]
    if wrong:
        more = f" And {len(wrong) - _TOLD} more." if len(wrong) > _TOLD else ""
        raise TrainingLeak(" ".join(wrong[:_TOLD]) + more)


def _same_books(known: Sequence[Known]) -> list[str]:
    """Return a name for the book of each sample, the same for one title and for one text under two titles."""
    names: dict[str, str] = {}
    for _, title, text in known:
        of_text, of_title = f"text {text}", normalised(title)
        one, other = _root(names, of_text), _root(names, of_title)
        names[max(one, other)] = min(one, other)
    return [_root(names, normalised(title)) for _, title, _ in known]


def _root(names: dict[str, str], name: str) -> str:
    while names.setdefault(name, name) != name:
        name = names[name]
    return name


def _dealt(books: Sequence[str], seed: int) -> dict[str, DataSplit]:
    """Assign books at random. From three books on each split has at least one; of two, one validates."""
    order = random.Random(seed).sample(books, len(books))
    splits: dict[str, DataSplit] = {}
    for split, share in SHARES.items():
        room = len(order) - 1  # one is left to train on
        for _ in range(min(room, max(1, round(share * len(books))))):
            splits[order.pop()] = split
    return splits | dict.fromkeys(order, DataSplit.TRAIN)


def _shared(found: Mapping[str, set[DataSplit]]) -> Iterable[tuple[str, set[DataSplit]]]:
    return ((name, splits) for name, splits in found.items() if len(splits) > 1)


def _joined(splits: set[DataSplit]) -> str:
    return " and ".join(split for split in DataSplit if split in splits)


def _titles(placed: Sequence[PlacedSample]) -> str:
    return " / ".join(f"“{title}”" for title in dict.fromkeys(each.title for each in placed))


def _lines(placed: Sequence[PlacedSample]) -> str:
    return "lines " + ", ".join(str(each.sample.line) for each in placed)


def _begin(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"
