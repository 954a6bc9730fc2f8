"""Other names in marked Chinese texts, so that a tagger learns what names look like, and not these."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from coref.chinese.lexicon import surnames, title_of
from coref.chinese.name_training import MarkedText
from evaluation.chinese.sources import NamedChapter, listed

_OLD, _NEW = 0.8, 0.9
"""Shares of the names that are changed, in old novels and in newer texts."""
_HOMELY: Final = 0.45
"""Share of the changed names in newer texts that become names of villagers and neighbours."""
_KNOWN: Final = 0.5
"""Share of the full names that are drawn from the known ones."""
_FAMILY: Final = 0.03
_HOUSES: Final = "家府宅"
_COMMON_SURNAME, _DOUBLE_SURNAME = 0.7, 0.06


@dataclass
class ChineseRenaming:
    """Names that somebody may have, drawn by chance: the same one for the same name within a chapter."""

    given: tuple[str, ...]
    """Characters of given names. The more frequent ones stand there more than once."""
    styles: tuple[str, ...]
    """Characters of courtesy names."""
    chance: random.Random
    known: tuple[str, ...] = ()
    """Full names of today, such as those of a dictionary."""
    families: float = _FAMILY
    """Share of the places where a name gives way to that of a family or its house, which is nobody's."""
    _common: str = field(default_factory=lambda: "".join(sorted(listed("surnames_common"))))
    _homely: tuple[str, ...] = field(default_factory=lambda: tuple(sorted(listed("homely_signs"))))
    _kin: tuple[str, ...] = field(default_factory=lambda: tuple(sorted(listed("homely_titles"))))

    def renamed(self, chapter: NamedChapter, *, old: bool) -> list[MarkedText]:
        drawn: dict[str, str] = {}
        return [self._text(each, drawn, chapter.bearers, old) for each in chapter.paragraphs]

    def _text(
        self, marked: MarkedText, drawn: dict[str, str], bearers: Mapping[str, str], old: bool
    ) -> MarkedText:
        text, at, shift = "", 0, 0
        names: list[tuple[int, int]] = []
        moved: list[tuple[int, int]] = []
        for start, end in marked.names:
            name = marked.text[start:end]
            if name not in drawn:
                kept = self.chance.random() > (_OLD if old else _NEW)
                drawn[name] = name if kept else self._draw(name, bearers, old)
            text += marked.text[at:start]
            written = drawn[name]
            if len(name) > 1 and self.chance.random() < self.families:
                written = self._surname(name) + self._one(_HOUSES)
            else:
                names.append((len(text), len(text) + len(written)))
            text += written
            shift += len(written) - (end - start)
            moved.append((end, shift))
            at = end
        text += marked.text[at:]
        unsure = tuple(
            sign + next((by for end, by in reversed(moved) if end <= sign), 0) for sign in marked.unsure
        )
        return MarkedText(text, tuple(names), unsure)

    def _draw(self, name: str, bearers: Mapping[str, str], old: bool) -> str:
        if len(name) == 1:
            return self._one(self.given)
        if not old and self.chance.random() < _HOMELY:
            return self._neighbour()
        title = title_of(name)
        if title:
            return self._surname(name) + title
        if name[0] in "老小阿":
            return name[0] + self._one(self.given)
        if len(name) == 2 and bearers.get(name, name) != name:
            return self._one(self.styles) + self._one(self.styles)
        if self.known and self.chance.random() < _KNOWN:
            return self._one(self.known)
        surname = self._surname(name)
        return surname + "".join(self._one(self.given) for _ in range(max(1, len(name) - len(surname))))

    def _surname(self, name: str) -> str:
        drawn = self.chance.random()
        if len(name) > 2 and drawn < _DOUBLE_SURNAME:
            return self._one(tuple(sorted(s for s in surnames() if len(s) == 2)))
        if drawn < _COMMON_SURNAME:
            return self._one(self._common)
        return self._one(tuple(sorted(s for s in surnames() if len(s) == 1)))

    def _neighbour(self) -> str:
        def sign() -> str:
            return self._one(self._homely)

        surname = self._one(self._common)
        return self.chance.choice(
            (
                surname + self._one(self._kin),
                surname + self._one(self._kin),
                sign() + sign(),
                self._one("阿小老") + sign(),
                sign() + "儿",
                sign() + sign() + self._one(self._kin),
                surname + sign() + sign(),
                self._one("一二三四五六七八九十") + sign(),
            )
        )

    def _one(self, among: tuple[str, ...] | str) -> str:
        return among[self.chance.randrange(len(among))]
