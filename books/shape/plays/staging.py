"""Assign speeches: walk a play's blocks in order; each is a speech, a direction or a heading."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from books import lists
from books.shape.body.kinds import kind_of
from books.shape.plays.directions import inline, is_direction
from books.shape.plays.labels import SpeakerLabel, is_large, key_of, not_speakers
from books.source import Block
from books.types import ParagraphKind, Play, Span, Speech

_LONGEST = 12_000
"""A speech longer than this without another label has ended."""
_TAIL = 4000
"""More text than this after the last label is an afterword."""
_ROUND = 3
_SPOKEN = re.compile(r"\b(?:I|me|my|mine|we|us|our|you|your|thou|thee|thy|ye|I['’]\w+)\b|[?!\"“”]", re.I)
_OUTSIDE = re.compile(r"(?:He|She|They|It|The|An?)\b")


@cache
def _stage_verbs() -> frozenset[str]:
    return frozenset(lists.lines("books", "data/stage_verbs.txt"))


@dataclass(slots=True)
class _Speaking:
    """A speech whose end is not known yet."""

    label: SpeakerLabel
    start: int
    end: int


@dataclass(slots=True)
class Staging:
    """Walks through the blocks of a play once."""

    labels: Mapping[int, SpeakerLabel]
    """Labels by the offset of their line."""
    headings: Collection[int]
    last: int
    """Offset of the last label's line."""
    total: int
    rounded: bool
    in_prose: bool
    names: Collection[str]
    kinds: dict[int, ParagraphKind] = field(default_factory=dict)
    speeches: list[Speech] = field(default_factory=list)
    directions: list[Span] = field(default_factory=list)
    _now: _Speaking | None = None
    _setting: bool = False
    _label_only: bool = False

    @property
    def play(self) -> Play:
        return Play(tuple(self.speeches), tuple(sorted(self.directions)))

    def walk(self, blocks: Sequence[Block], first: int) -> None:
        for at in range(first, len(blocks)):
            self._take(at, blocks[at])
        self._close()

    def _take(self, at: int, block: Block) -> None:
        if block.span.start in self.headings:
            self._close()
            self.kinds[at], self._setting = ParagraphKind.HEADING, True
            return
        label = self.labels.get(block.span.start)
        if label is not None:
            self._open(at, block, label)
        elif is_direction(block.text, after_label=self._label_only) or _is_sign(block.text[:60]):
            self._stage(at, block)
            if key_of(block.text[:10]).removeprefix("the ").split()[:1] in (["end"], ["finis"]):
                self._close()
        else:
            self._unlabelled(at, block)

    def _open(self, at: int, block: Block, label: SpeakerLabel) -> None:
        self._close()
        start = _spoken_from(block.within, label.after, block.span.end)
        self._now = _Speaking(label, min(start, block.span.end), block.span.end)
        self.kinds[at], self._setting = ParagraphKind.SPEECH, False
        self._label_only = start >= block.span.end
        self.directions += inline(block.within, Span(self._now.start, block.span.end), rounded=self.rounded)

    def _stage(self, at: int, block: Block) -> None:
        self.kinds[at] = ParagraphKind.DIRECTION
        self.directions.append(block.span)

    def _unlabelled(self, at: int, block: Block) -> None:
        if self._now is None:
            if self._setting and kind_of(block) is not ParagraphKind.VERSE:
                self._stage(at, block)
            return
        if self._ends_here(block):
            self._close()
        elif self._is_about_characters(block):
            self._stage(at, block)
        else:
            self.kinds[at] = ParagraphKind.SPEECH
            if self._label_only:
                self._now.start = block.span.start
            self._now.end, self._label_only = block.span.end, block.text.startswith("_")
            self.directions += inline(block.within, block.span, rounded=self.rounded)

    def _ends_here(self, block: Block) -> bool:
        """Return whether the text after a speech is an afterword and not the rest of the speech."""
        assert self._now is not None
        if block.span.end - self._now.label.start > _LONGEST:
            return True
        afterword = self._now.label.line == self.last and self.total - self.last > _TAIL
        return afterword and not self._label_only

    def _is_about_characters(self, block: Block) -> bool:
        """Return whether a block is a direction: in prose plays, a paragraph without I or you."""
        if not self.in_prose or self._label_only:
            return False
        said = block.text
        word = key_of(said[:40].split()[0])
        if not (_OUTSIDE.match(said) or word in self.names) or _SPOKEN.search(said):
            return False
        return any(word.strip(".,;:") in _stage_verbs() for word in said.split())

    def _close(self) -> None:
        if self._now is not None:
            now, self._now = self._now, None
            self.speeches.append(Speech(Span(now.label.start, now.label.end), Span(now.start, now.end)))
        self._label_only = False


def _is_sign(said: str) -> bool:
    """Return whether the text is a sign in capitals and nobody's name: `ACT DROP`, `STROPHE`."""
    return is_large(said) and key_of(said) in not_speakers()


def _spoken_from(text: str, at: int, end: int) -> int:
    """Return the offset after the marks that separate a label from its speech."""
    while at < end and (text[at].isspace() or text[at] in ":：.,;*—–-"):
        at += 1
    return at


def is_rounded(text: str, labels: Sequence[SpeakerLabel]) -> bool:
    """Return whether this play sets its directions in round brackets."""
    heads = [text[label.after : label.after + 6].lstrip(" .,:_*")[:1] for label in labels]
    return heads.count("(") >= _ROUND and heads.count("(") > heads.count("[")


def is_in_prose(text: str, labels: Sequence[SpeakerLabel]) -> bool:
    """Return whether labels stand on the line of their speech; in verse they stand above it."""
    return 2 * sum(_stands_alone(text, label) for label in labels) < len(labels)


def _stands_alone(text: str, label: SpeakerLabel) -> bool:
    rest = text[label.after : label.after + 6].lstrip(" \t:._*")
    return not rest or rest[0] == "\n"
