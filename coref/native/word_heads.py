"""What the network says of each word: its part of speech, its lemma, what it depends on, whether it happened.

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
"""Few words tell of an event: to start from there saves steps."""
_MOST_CELLS: Final = 60_000
"""Of one batch of sentences' arcs: a batch of short sentences is long. In a larger one more is padding."""
_STEADY: Final = 512
"""Words are rounded up to so many, and their relations told so many at once: see `steady`."""
_LIKELIEST: Final = 12
"""Scripts of a word's lemma that are tried."""
MOST_OF_A_SENTENCE: Final = 200
"""Words; what is longer is cut, for arcs grow with its square."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the classes mean."""

    tags: tuple[str, ...]
    relations: tuple[str, ...]
    scripts: tuple[str, ...]
    """Lemmas: see `lemmas`."""
    endings: tuple[tuple[str, ...], ...] = ()
    """What each script may take away, in the order of the scripts."""
    irregular: tuple[tuple[str, str], ...] = ()
    """The lemmas of forms with their tags that no script is trusted with."""
    lemmas: tuple[str, ...] = ()
    """Those that were seen, names aside."""

    def lemmatizer(self) -> Lemmatizer:
        endings = self.endings or ((),) * len(self.scripts)
        return Lemmatizer(self.scripts, endings, self.irregular, self.lemmas)


@dataclass(frozen=True, slots=True)
class WordScores:
    tags: Tensor
    scripts: Tensor
    events: Tensor
    """(words): above 0 where something happens."""


@dataclass(frozen=True, slots=True)
class DependencySides:
    """Each word as what depends and as what is depended on."""

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
        """The root, which every sentence may depend on, is one more row at the end."""
        rows = torch.cat([words, self.root[None].to(words.dtype)])
        arcs = self.drop(gelu(self.arc_sides(rows))).chunk(2, dim=1)
        labels = self.drop(gelu(self.label_sides(rows))).chunk(2, dim=1)
        return DependencySides((arcs[0], arcs[1]), (labels[0], labels[1]))

    def arc_scores(self, sides: DependencySides, sentences: Sequence[Range]) -> Tensor:
        """(sentences, words, 1 + words): each word's heads within its sentence, the root's column first.

        In 32 bits: in 16 a kernel would be made and kept for every length of a sentence.
        """
        below, above = (side.float() for side in sides.arcs)
        at, inside = places(sentences, device=below.device)
        heads = above[pad(at, (1, 0), value=above.shape[0] - 1)]
        with torch.autocast(below.device.type, enabled=False):
            scores = (_with_one(below[at]) @ self.arcs) @ heads.transpose(1, 2)
        allowed = pad(inside, (1, 0), value=True)
        return scores.masked_fill(~allowed[:, None, :], float("-inf"))

    def label_scores(self, sides: DependencySides, words: Tensor, heads: Tensor) -> Tensor:
        """(words, relations): of each of `words` to its head; head -1 is the root."""
        below, above = sides.labels
        one, other = _with_one(below[words]), _with_one(above[heads])
        turned = torch.einsum("na,rab->nrb", one, self.labels)
        return torch.einsum("nrb,nb->nr", turned, other)


def places(sentences: Sequence[Range], *, device: torch.device) -> tuple[Tensor, Tensor]:
    """(sentences, words): each word's row, and whether there is one."""
    starts = torch.tensor([start for start, _ in sentences], device=device)
    sizes = torch.tensor([end - start for start, end in sentences], device=device)
    steps = torch.arange(int(sizes.max()), device=device)
    inside = steps < sizes[:, None]
    return torch.where(inside, starts[:, None] + steps, starts[:, None]), inside


def _with_one(rows: Tensor) -> Tensor:
    return pad(rows, (0, 1), value=1.0)


@dataclass(frozen=True, slots=True)
class ParsedColumns:
    """Columns, one entry a word."""

    tags: list[int]
    scripts: list[list[int]]
    """The likeliest few, the first first."""
    events: list[bool]
    heads: list[int]
    """-1: the root."""
    relations: list[int]


def parse(grammar: GrammarHead, words: Tensor, sentences: Sequence[Range]) -> ParsedColumns:
    """Everything about each word. Sentences must tile the words."""
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
    """By length, so that little is padding."""
    group: list[Range] = []
    for sentence in sorted(sentences, key=lambda sentence: sentence[1] - sentence[0]):
        size = sentence[1] - sentence[0]
        if group and (len(group) + 1) * size * size > _MOST_CELLS:
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group
