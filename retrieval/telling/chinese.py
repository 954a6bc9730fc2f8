"""The head for Chinese books, whose sentences MiniLM cannot read: by signs, and what is beside the person.

It gives the scores that `retrieval.telling.head` gives, in the same order, and needs no second reader.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from coref.chinese.lexicon import simplify
from retrieval.telling.sentence_table import Floats

WEIGHTS: Final = "chinese.safetensors"
_PERSON: Final = re.compile(r"\* .*? \*")
_START, _SOMEBODY = "^", "@"
GRAMS: Final = "grams"
"""Name of the weights' metadata with the characters and pairs that have a weight."""


@dataclass(frozen=True, slots=True)
class ChineseHead:
    mean: Floats
    deviation: Floats
    signs: Floats
    """A row of weights for each sign, as the next for each gram."""
    grams: Floats
    bias: Floats
    known: dict[str, int]

    def __call__(self, signs: Floats, marked: Sequence[str]) -> Floats:
        """Return one row of scores for each sentence, in the order of `head.OUTPUTS`.

        `marked`: the sentences as `MarkedSentences` writes them.
        """
        found = np.asarray((signs - self.mean) / self.deviation @ self.signs + self.bias, np.float32)
        for row, text in enumerate(marked):
            seen = {self.known[gram] for gram in grams_of(text) if gram in self.known}
            found[row] += self.grams[sorted(seen)].sum(axis=0)
        return found


def grams_of(marked: str) -> Iterator[str]:
    """Yield whose words a sentence is, its characters, the pairs of them, and threes with the person in them.

    Whatever the person is called is one sign, so that nothing is learnt of a name.
    """
    voice, _, told = marked.partition(": ")
    plain = _START + simplify(_PERSON.sub(_SOMEBODY, told))
    yield voice.rpartition(", ")[2]
    yield from plain
    yield from map("".join, pairwise(plain))
    threes = map("".join, zip(plain, plain[1:], plain[2:], strict=False))
    yield from (three for three in threes if _SOMEBODY in three)


def load(path: Path) -> ChineseHead:
    from safetensors import safe_open

    with safe_open(path, framework="np") as held:
        weights = {name: held.get_tensor(name).astype(np.float32) for name in held.keys()}  # noqa: SIM118
        known = {gram: n for n, gram in enumerate(json.loads(held.metadata()[GRAMS]))}
    return ChineseHead(**weights, known=known)


def save(head: ChineseHead, path: Path) -> None:
    from safetensors.numpy import save_file

    names = ("mean", "deviation", "signs", "grams", "bias")
    weights = {name: np.ascontiguousarray(getattr(head, name), np.float16) for name in names}
    grams = json.dumps(list(head.known), ensure_ascii=False)
    save_file(weights, path, metadata={GRAMS: grams})


@cache
def shipped() -> ChineseHead:
    """Return the head with the weights in the repository."""
    with as_file(files("retrieval.telling").joinpath(WEIGHTS)) as path:
        return load(path)
