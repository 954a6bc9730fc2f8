"""Train the tagger of Chinese names on texts in which they are marked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor, nn

from coref.chinese.name_signs import SignIds, coarse, recurring, signs
from coref.chinese.name_tagger import BEGINS, GOES_ON, OUTSIDE, STRETCH, NameNetwork, padded
from coref.chinese.segment import tagged_words

_IGNORED = -1
_PADDED = 16_000
"""Characters of a batch, with the padding."""
_SEEN = 3
"""A character that occurs less often is not learnt."""
_UNREAD = 0.03
"""Share of the characters that are hidden, so that unknown ones are learnt."""
_RATE, _DECAY, _WARM, _CLIPPED = 2e-3, 0.01, 100, 1.0
_LAST_RATE = 0.02
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A paragraph in simplified characters."""

    text: str
    names: tuple[tuple[int, int], ...]
    unsure: tuple[int, ...] = ()
    """Characters of which it is not known whether they are names."""

    @property
    def classes(self) -> list[int]:
        found = [OUTSIDE] * len(self.text)
        for at in self.unsure:
            found[at] = _IGNORED
        for start, end in self.names:
            found[start:end] = [BEGINS] + [GOES_ON] * (end - start - 1)
        return found


Lessons = Callable[[], Iterable[Sequence[MarkedText]]]
"""The chapters of an epoch. Each epoch may have other names in them."""


def vocabulary(texts: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Return the characters to be learnt, and the tags of words."""
    seen: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    for text in texts:
        seen.update(text)
        tags.update(coarse(tag) for _, tag, _ in tagged_words(text))
    return "".join(sorted(c for c, count in seen.items() if count >= _SEEN)), tuple(sorted(tags))


def train(
    lessons: Lessons, ids: SignIds, *, epochs: int, seed: int, tell: Callable[[str], object]
) -> NameNetwork:
    torch.manual_seed(seed)
    chance = random.Random(seed)
    network = NameNetwork(ids)
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    step = 0
    for epoch in range(epochs):
        lost = 0.0
        batches = _batches(list(_read(lessons(), ids, chance)), chance)
        for rows, classes in batches:
            step += 1
            for group in optimiser.param_groups:
                group["lr"] = _RATE * min(1, step / _WARM) * max(_LAST_RATE, 1 - epoch / epochs)
            loss = nn.functional.cross_entropy(
                network(rows).flatten(0, 1), classes.flatten(), ignore_index=_IGNORED
            )
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), _CLIPPED)
            optimiser.step()
            lost += loss.item()
        tell(f"Epoch {epoch + 1} of {epochs}: loss {lost / len(batches):.4f}")
    return network.eval()


def _read(
    chapters: Iterable[Sequence[MarkedText]], ids: SignIds, chance: random.Random
) -> Iterator[tuple[list[list[int]], list[int]]]:
    for chapter in chapters:
        pairs = recurring(each.text for each in chapter)
        for each in chapter:
            classes = each.classes
            for at in range(0, len(each.text), STRETCH):
                text = each.text[at : at + STRETCH]
                if len(text) >= _SHORTEST:
                    rows = signs(text, pairs, ids)
                    rows[0] = [1 if chance.random() < _UNREAD else sign for sign in rows[0]]
                    yield rows, classes[at : at + STRETCH]


def _batches(
    texts: list[tuple[list[list[int]], list[int]]], chance: random.Random
) -> list[tuple[Tensor, Tensor]]:
    """Put texts of like length together."""
    groups: list[list[tuple[list[list[int]], list[int]]]] = [[]]
    for each in sorted(texts, key=lambda text: len(text[1])):
        if (len(groups[-1]) + 1) * len(each[1]) > _PADDED:
            groups.append([])
        groups[-1].append(each)
    chance.shuffle(groups)
    return [
        (padded([rows for rows, _ in group]), _padded([row for _, row in group])) for group in groups if group
    ]


def _padded(classes: Sequence[list[int]]) -> Tensor:
    longest = max(map(len, classes))
    return torch.tensor(list(chain([*row, *[_IGNORED] * (longest - len(row))] for row in classes)))
