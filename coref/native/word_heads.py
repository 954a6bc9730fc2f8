"""Predictions for each word: part of speech, lemma, dependency, and whether it is an event.

The heads share the encoder with mentions and links, and mix its layers in their own way: grammar lies lower.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, pad

from coref.native.best_tree import tree
from coref.native.document import Range
from coref.native.encoder import SharedDropout
from coref.native.lemma_scripts import Lemmatizer

_HIDDEN, _ARC, _LABEL = 256, 256, 96
_SELDOM: Final = -3.0
"""Few words are events. Starting from there saves steps."""
_MOST_CELLS: Final = 60_000
"""Limit for the arcs of one batch of sentences. A batch of short sentences is long.

In a larger batch more would be padding.
"""
_STEADY: Final = 512
"""Words are padded to a multiple of this, and labelled so many at once: see `steady_shapes`."""
_LIKELIEST: Final = 12
"""How many scripts are tried for a word's lemma."""
MOST_OF_A_SENTENCE: Final = 200
"""Number of words after which a sentence is split, because arcs grow with its square."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The meaning of the classes."""

    tags: tuple[str, ...]
    relations: tuple[str, ...]
    scripts: tuple[str, ...]
    """Lemmas as scripts: see `lemma_scripts`."""
    endings: tuple[tuple[str, ...], ...] = ()
    """The endings that each script may remove, in the order of the scripts."""
    irregular: tuple[tuple[str, str], ...] = ()
    """The lemmas of forms with their tags for which no script is trusted."""
    lemmas: tuple[str, ...] = ()
    """The lemmas seen in training, except names."""

    def lemmatizer(self) -> Lemmatizer:
        endings = self.endings or ((),) * len(self.scripts)
        return Lemmatizer(self.scripts, endings, self.irregular, self.lemmas)


@dataclass(frozen=True, slots=True)
class WordScores:
    tags: Tensor
    scripts: Tensor
    events: Tensor
    """(words): above 0 for events."""


@dataclass(frozen=True, slots=True)
class DependencySides:
    """Each word as dependent and as head."""

    arcs: tuple[Tensor, Tensor]
    labels: tuple[Tensor, Tensor]


class GrammarHead(nn.Module):
    def __init__(self, width: int, vocabulary: Vocabulary, dropout: float) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.drop = SharedDropout(dropout)
        self.hidden = nn.Linear(width, _HIDDEN)
        self.tags = nn.Linear(_HIDDEN, len(vocabulary.tags))
        self.scripts = nn.Linear(_HIDDEN, len(vocabulary.scripts))
        self.events = nn.Linear(_HIDDEN, 1)
        nn.init.constant_(self.events.bias, _SELDOM)
        self.root = nn.Parameter(0.02 * torch.randn(width))
        self.arc_sides = nn.Linear(width, 2 * _ARC)
        self.arcs = nn.Parameter(0.02 * torch.randn(_ARC + 1, _ARC))
        self.label_sides = nn.Linear(width, 2 * _LABEL)
        self.labels = nn.Parameter(0.02 * torch.randn(len(vocabulary.relations), _LABEL + 1, _LABEL + 1))

    def words(self, words: Tensor) -> WordScores:
        hidden = self.drop(gelu(self.hidden(words)))
        return WordScores(self.tags(hidden), self.scripts(hidden), self.events(hidden).squeeze(1))

    def sides(self, words: Tensor) -> DependencySides:
        """Return both sides. The root, which every sentence may depend on, is an additional last row."""
        rows = torch.cat([words, self.root[None].to(words.dtype)])
        arcs = self.drop(gelu(self.arc_sides(rows))).chunk(2, dim=1)
        labels = self.drop(gelu(self.label_sides(rows))).chunk(2, dim=1)
        return DependencySides((arcs[0], arcs[1]), (labels[0], labels[1]))

    def arc_scores(self, sides: DependencySides, sentences: Sequence[Range]) -> Tensor:
        """(sentences, words, 1 + words): scores of each word's heads within its sentence, the root's column
        first.

        Computed in 32 bits: in 16 a kernel would be compiled and kept for every length of a sentence.
        """
        below, above = (side.float() for side in sides.arcs)
        at, inside = places(sentences, device=below.device)
        heads = above[pad(at, (1, 0), value=above.shape[0] - 1)]
        with torch.autocast(below.device.type, enabled=False):
            scores = (_with_one(below[at]) @ self.arcs) @ heads.transpose(1, 2)
        allowed = pad(inside, (1, 0), value=True)
        return scores.masked_fill(~allowed[:, None, :], float("-inf"))

    def label_scores(self, sides: DependencySides, words: Tensor, heads: Tensor) -> Tensor:
        """(words, relations): scores of the relation of each word to its head. Head -1 is the root."""
        below, above = sides.labels
        one, other = _with_one(below[words]), _with_one(above[heads])
        turned = torch.einsum("na,rab->nrb", one, self.labels)
        return torch.einsum("nrb,nb->nr", turned, other)


def places(sentences: Sequence[Range], *, device: torch.device) -> tuple[Tensor, Tensor]:
    """(sentences, words): the row of each word, and whether there is one."""
    starts = torch.tensor([start for start, _ in sentences], device=device)
    sizes = torch.tensor([end - start for start, end in sentences], device=device)
    steps = torch.arange(int(sizes.max()), device=device)
    inside = steps < sizes[:, None]
    return torch.where(inside, starts[:, None] + steps, starts[:, None]), inside


def _with_one(rows: Tensor) -> Tensor:
    return pad(rows, (0, 1), value=1.0)


@dataclass(frozen=True, slots=True)
class ParsedColumns:
    """Columns with one entry per word."""

    tags: list[int]
    scripts: list[list[int]]
    """The likeliest few, in order."""
    events: list[bool]
    heads: list[int]
    """-1 for the root."""
    relations: list[int]


def parse(grammar: GrammarHead, words: Tensor, sentences: Sequence[Range]) -> ParsedColumns:
    """Predict everything about each word. Sentences must tile the words."""
    count = words.shape[0]
    words = pad(words, (0, 0, 0, -count % _STEADY))
    scores = grammar.words(words)
    sides = grammar.sides(words)
    heads = [-1] * words.shape[0]
    for group in _grouped(_cut(sentences)):
        for (start, end), table in zip(group, grammar.arc_scores(sides, group).cpu(), strict=True):
            size = end - start
            found = tree(table[:size, : size + 1].detach().numpy())
            heads[start:end] = [-1 if head < 0 else start + head for head in found]
    at = torch.arange(words.shape[0], device=words.device)
    labels = _labels(grammar, sides, at, torch.tensor(heads, device=words.device))
    return ParsedColumns(
        tags=scores.tags[:count].argmax(1).tolist(),
        scripts=scores.scripts[:count].topk(min(_LIKELIEST, scores.scripts.shape[1])).indices.tolist(),
        events=(scores.events[:count] > 0).tolist(),
        heads=heads[:count],
        relations=labels[:count].tolist(),
    )


def _labels(grammar: GrammarHead, sides: DependencySides, words: Tensor, heads: Tensor) -> Tensor:
    parts = (slice(at, at + _STEADY) for at in range(0, len(words), _STEADY))
    return torch.cat([grammar.label_scores(sides, words[part], heads[part]).argmax(1) for part in parts])


def _cut(sentences: Sequence[Range]) -> Iterator[Range]:
    for start, end in sentences:
        for at in range(start, end, MOST_OF_A_SENTENCE):
            yield at, min(end, at + MOST_OF_A_SENTENCE)


def _grouped(sentences: Iterator[Range]) -> Iterator[list[Range]]:
    """Group sentences by length, to avoid padding."""
    group: list[Range] = []
    for sentence in sorted(sentences, key=lambda sentence: sentence[1] - sentence[0]):
        size = sentence[1] - sentence[0]
        if group and (len(group) + 1) * size * size > _MOST_CELLS:
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group
