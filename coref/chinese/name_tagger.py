"""Finds the names of people in Chinese text: small convolutional networks over characters."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from coref.chinese.name_signs import RECURRING, SignIds, recurring, signs

WEIGHTS: Final = "names.safetensors"
IDS: Final = "ids"
"""Name of the weights' metadata with the characters and the tags."""
OUTSIDE, BEGINS, GOES_ON = 0, 1, 2
"""The classes of a character."""
STRETCH: Final = 400
"""Characters that are read at once."""
_BATCH: Final = 64
_CLASSES: Final = 3
_CHARACTER, _WORD, _SURNAME, _PAIR, _HIDDEN = 64, 24, 4, 6, 112
_DILATIONS: Final = (1, 2, 4, 1, 2, 1)
_DROPPED: Final = 0.2


Probabilities = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TaggedName:
    """A stretch of a paragraph that is somebody's name."""

    start: int
    end: int
    text: str
    """In simplified characters."""
    probability: float


class NameNetwork(nn.Module):
    """Classes of characters from their signs, with about twelve characters of context on each side."""

    def __init__(self, ids: SignIds) -> None:
        super().__init__()
        characters, words = ids.sizes
        sizes = ((characters, _CHARACTER), (words, _WORD), (2, _SURNAME), *[(RECURRING, _PAIR)] * 2)
        self.tables = nn.ModuleList(nn.Embedding(count, width) for count, width in sizes)
        self.widen = nn.Conv1d(sum(width for _, width in sizes), _HIDDEN, 3, padding=1)
        self.layers = nn.ModuleList(nn.Conv1d(_HIDDEN, _HIDDEN, 3, padding=d, dilation=d) for d in _DILATIONS)
        self.norms = nn.ModuleList(nn.LayerNorm(_HIDDEN) for _ in _DILATIONS)
        self.classes = nn.Linear(_HIDDEN, _CLASSES)
        self.drop = nn.Dropout(_DROPPED)

    def forward(self, rows: Tensor) -> Tensor:
        """`rows`: the signs, of shape (5, texts, characters)."""
        seen = torch.cat([table(row) for table, row in zip(self.tables, rows, strict=True)], -1)
        known = torch.relu(self.widen(self.drop(seen).transpose(1, 2)).transpose(1, 2))
        for layer, norm in zip(self.layers, self.norms, strict=True):
            known = known + self.drop(torch.relu(layer(norm(known).transpose(1, 2)).transpose(1, 2)))
        classes: Tensor = self.classes(known)
        return classes


class NameTagger:
    """The mean of several networks: what one of them takes for a name by chance, the others do not."""

    def __init__(self, networks: Sequence[NameNetwork], ids: SignIds) -> None:
        self._networks, self._ids = [network.eval() for network in networks], ids

    def read(self, paragraphs: Sequence[str], chapters: Sequence[int]) -> list[Probabilities]:
        """Return the probability of each class for every character of some simplified paragraphs."""
        found = [np.zeros((len(text), _CLASSES), np.float32) for text in paragraphs]
        pieces = sorted(self._pieces(paragraphs, chapters), key=lambda piece: len(piece[2][0]))
        for first in range(0, len(pieces), _BATCH):
            batch = pieces[first : first + _BATCH]
            for (number, at, rows), row in zip(batch, self._classes(batch), strict=True):
                found[number][at : at + len(rows[0])] = row[: len(rows[0])]
        return found

    def _pieces(
        self, paragraphs: Sequence[str], chapters: Sequence[int]
    ) -> Iterator[tuple[int, int, list[list[int]]]]:
        for _, numbers in groupby(range(len(paragraphs)), key=lambda n: chapters[n]):
            together = list(numbers)
            pairs = recurring(paragraphs[n] for n in together)
            for number in together:
                for at in range(0, len(paragraphs[number]), STRETCH):
                    text = paragraphs[number][at : at + STRETCH]
                    yield number, at, signs(text, pairs, self._ids)

    def _classes(self, batch: Sequence[tuple[int, int, list[list[int]]]]) -> Probabilities:
        rows = padded([rows for _, _, rows in batch])
        with torch.inference_mode():
            told = torch.stack([network(rows).softmax(-1) for network in self._networks])
        found: Probabilities = told.mean(0).numpy()
        return found


def padded(texts: Sequence[list[list[int]]]) -> Tensor:
    """Return the signs of several texts as one tensor."""
    longest = max(len(rows[0]) for rows in texts)
    return torch.tensor(
        [[rows[n] + [0] * (longest - len(rows[n])) for rows in texts] for n in range(len(texts[0]))]
    )


def tagged(text: str, classes: Probabilities) -> Iterator[TaggedName]:
    """Yield the names in a text, of which each character has its likeliest class."""
    likeliest = classes.argmax(-1).tolist()
    first = 0
    while first < len(likeliest):
        end = first + 1
        if likeliest[first] == BEGINS:
            while end < len(likeliest) and likeliest[end] == GOES_ON:
                end += 1
            yield TaggedName(first, end, text[first:end], probability(classes, first, end))
        first = end


def probability(classes: Probabilities, first: int, end: int) -> float:
    """Return how likely a stretch is a name: as its least likely character, or that it ends there."""
    ends = 1.0 if end == len(classes) else 1.0 - float(classes[end, GOES_ON])
    inside = float(classes[first + 1 : end, GOES_ON].min(initial=1.0))
    return min(float(classes[first, BEGINS]), inside, ends)


def load(path: Path) -> NameTagger:
    from safetensors import safe_open

    with safe_open(path, framework="pt") as held:
        told = json.loads(held.metadata()[IDS])
        ids = SignIds.of(told["characters"], told["tags"])
        weights: dict[int, dict[str, Tensor]] = defaultdict(dict)
        for key in held.keys():  # noqa: SIM118
            number, name = key.split(".", 1)
            weights[int(number)][name] = held.get_tensor(key).float()
    networks = [NameNetwork(ids) for _ in weights]
    for number, network in enumerate(networks):
        network.load_state_dict(weights[number])
    return NameTagger(networks, ids)


def save(networks: Sequence[NameNetwork], characters: Sequence[str], tags: Sequence[str], path: Path) -> None:
    from safetensors.torch import save_file

    weights = {
        f"{number}.{name}": weight.half().contiguous()
        for number, network in enumerate(networks)
        for name, weight in network.state_dict().items()
    }
    told = json.dumps({"characters": "".join(characters), "tags": list(tags)}, ensure_ascii=False)
    save_file(weights, path, metadata={IDS: told})


@cache
def shipped() -> NameTagger:
    """Return the tagger with the weights in the repository."""
    with as_file(files("coref.chinese").joinpath(WEIGHTS)) as path:
        return load(path)
