"""Simple signs of a sentence in its summary: its place, its length, its names, and what it resembles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.booookscore.summary_names import SummaryName, names_in
from retrieval.sentences import split

Floats = NDArray[np.float32]
SIGNS: Final = (
    "words", "commas", "quotation marks", "digits", "place", "first", "last", "begins a paragraph",
    "sentences of the summary", "names", "new names", "new and unexplained", "new and never again",
    "new and again later", "names never again", "rarest name so far", "pronouns", "begins with a pronoun",
    "new words", "like the one before", "like the next", "like an earlier one", "like all before",
    "like the whole",
)  # fmt: skip
_WORD = re.compile(r"[\w’'-]+")
_PRONOUN = re.compile(r"\b(?:he|she|they|him|her|them|his|their|it|its|this|these)\b", re.IGNORECASE)


def signs_of(text: str, vectors: Floats) -> Floats:
    """Return a row of signs for each sentence; `vectors` are those of the sentences, of unit length."""
    spans = split(text)
    sentences = [span.of(text) for span in spans]
    starts = [at == 0 or "\n" in text[spans[at - 1].end : span.start] for at, span in enumerate(spans)]
    numbers = np.column_stack(
        (_form(sentences, starts), _names(names_in(sentences)), _wording(sentences), _likeness(vectors))
    )
    return numbers.astype(np.float32)


def _form(sentences: Sequence[str], starts: Sequence[bool]) -> Floats:
    count = len(sentences)
    rows = [
        (
            np.log1p(len(_WORD.findall(sentence))),
            sentence.count(","),
            sum(map(sentence.count, '"“”')),
            any(c.isdigit() for c in sentence),
            at / max(1, count - 1),
            at == 0,
            at == count - 1,
            starts[at],
            np.log1p(count),
        )
        for at, sentence in enumerate(sentences)
    ]
    return np.array(rows, dtype=np.float32)


def _names(named: Sequence[Sequence[SummaryName]]) -> Floats:
    total = Counter(word for names in named for name in names for word in name.words)
    seen: Counter[str] = Counter()
    rows = []
    for names in named:
        here = Counter(word for name in names for word in name.words)
        new = [name for name in names if not any(seen[word] for word in name.words)]
        again = [any(total[word] > here[word] for word in name.words) for name in new]
        past = [max(seen[word] for word in name.words) for name in names]
        ending = sum(all(total[w] == seen[w] + here[w] for w in name.words) for name in names)
        unexplained = sum(not name.explained for name in new)
        rarest = np.log1p(min(past, default=0))
        rows.append((len(names), len(new), unexplained, len(new) - sum(again), sum(again), ending, rarest))
        seen += here
    return np.array(rows, dtype=np.float32)


def _wording(sentences: Sequence[str]) -> Floats:
    known: set[str] = set()
    rows = []
    for sentence in sentences:
        words = [word.lower() for word in _WORD.findall(sentence)]
        pronouns = _PRONOUN.findall(sentence)
        begins = _PRONOUN.match(sentence.lstrip('"“')) is not None
        rows.append((len(pronouns), begins, sum(w not in known for w in words) / max(1, len(words))))
        known.update(words)
    return np.array(rows, dtype=np.float32)


def _likeness(vectors: Floats) -> Floats:
    """Return cosines with the sentences around; a sentence without any before it is like none."""
    like = vectors @ vectors.T
    count = len(vectors)
    rows = []
    for at in range(count):
        before = like[at, :at]
        rows.append(
            (
                before[-1] if at else 0.0,
                like[at, at + 1] if at + 1 < count else 0.0,
                before[:-1].max() if at > 1 else 0.0,
                before.mean() if at else 0.0,
                like[at].mean(),
            )
        )
    return np.array(rows, dtype=np.float32)
