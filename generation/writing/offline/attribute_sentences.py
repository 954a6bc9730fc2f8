"""Word descriptive phrases as sentences: "is a tall young man with a grave and stately air"."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from generation.lexicon import words
from generation.story.types import Aspect, Dossier, Stroke, StrokeKind
from generation.types import Category, Citation
from generation.writing.offline.clause_parts import FiniteVerb, Piece
from generation.writing.offline.composed_from import ComposedItem
from generation.writing.offline.dossier_points import IS, listed, with_article
from generation.writing.offline.realising import TextPoint

_HAS = FiniteVerb("has", "have", "have")
_LONGEST = 24
"""Most words of a predicate."""
_MOST_PARTS = 4
_GROUPS = ((Aspect.LOOKS, Aspect.AGE), (Aspect.NATURE, Aspect.CONDITION))
"""Appearance in one sentence, character in another."""
_BASES = (StrokeKind.IS_A, StrokeKind.IS)


def portrait(dossier: Dossier, *, most: int, aspects: Collection[Aspect] | None = None) -> list[TextPoint]:
    """Return points for what the narration says they look like and are like, in at most `most` sentences."""
    own = [s for s in dossier.portrait if s.speaker is None and (aspects is None or s.aspect in aspects)]
    groups = [[s for s in own if s.aspect in some] for some in _GROUPS]
    said: set[str] = set()
    drafts: list[_AttributeDraft] = []
    while any(groups) and len(drafts) < most:
        first = max(groups, key=lambda g: max((s.weight for s in g), default=0.0))
        for group in (first, *(g for g in groups if g is not first)):
            if group and len(drafts) < most:
                draft = _draft(group, said)
                drafts += [draft] if draft is not None else []
    drafts.sort(key=lambda d: d.nature)
    return [draft.point(dossier.character) for draft in drafts]


@dataclass(slots=True)
class _AttributeDraft:
    """One sentence under construction."""

    nature: bool
    pieces: list[Piece] = field(default_factory=list)
    items: list[ComposedItem] = field(default_factory=list)
    words: int = 0

    def add(self, verb: FiniteVerb, text: str, stroke: Stroke) -> None:
        at = len(self.pieces)
        self.pieces.append(text)
        category = Category.PERSONALITY if stroke.aspect is Aspect.NATURE else Category.OTHER
        self.items.append(ComposedItem((verb, text), category, (stroke.citation,), at, at + 1))
        self.words += len(text.split())

    def point(self, character: str) -> TextPoint:
        cited: tuple[Citation, ...] = tuple(dict.fromkeys(c for i in self.items for c in i.citations))
        return TextPoint(character, tuple(self.pieces), cited, items=tuple(self.items))


def _draft(group: list[Stroke], said: set[str]) -> _AttributeDraft | None:
    """Take from a group what fits into one sentence. Return None if nothing new is left."""
    draft = _AttributeDraft(group[0].aspect in _GROUPS[1])
    bases = sorted((s for s in group if s.kind in _BASES), key=lambda s: s.kind is not StrokeKind.IS_A)
    base = next(_fresh(bases, said), None)
    loose = False
    if base is not None:
        _take(base, group, said)
        draft.pieces.append(IS)
        draft.add(IS, f"not {_worded(base)}" if base.denied else _worded(base), base)
        if base.denied:
            return draft
        loose = base.kind is StrokeKind.IS or "," in base.phrase.partition(" of ")[2]
        rows = [s for s in group if s.kind is StrokeKind.IS and len(s.adjectives) > 1]
        row = next(_fresh(rows, said), None)
        if row is not None and base.kind is StrokeKind.IS_A and not loose and _fits(draft, row):
            _take(row, group, said)
            draft.pieces.append(",")
            draft.add(IS, _worded(row), row)
            loose = True
    parts: list[Stroke] = []
    room = _LONGEST - draft.words
    for stroke in _fresh([s for s in group if s.kind not in _BASES], said):
        needed = len(_worded(stroke).split()) + 1
        if needed <= room and len(parts) < _MOST_PARTS:
            _take(stroke, group, said)
            parts.append(stroke)
            room -= needed
    if not parts and base is None:
        group.clear()
        return None
    _attach(draft, parts, loose=loose)
    return draft


def _attach(draft: _AttributeDraft, parts: Sequence[Stroke], *, loose: bool) -> None:
    """Add "with blue eyes and light hair" after a base, or "has blue eyes and light hair" without one."""
    if not parts:
        return
    if not draft.pieces:
        draft.pieces.append(_HAS)
    else:
        draft.pieces += [",", "with"] if loose else ["with"]
    for at, stroke in enumerate(parts):
        if at:
            draft.pieces.append("and" if at + 1 == len(parts) else ",")
        draft.add(_HAS, _worded(stroke), stroke)


def _fits(draft: _AttributeDraft, stroke: Stroke) -> bool:
    return draft.words + len(stroke.phrase.split()) <= _LONGEST


def _take(stroke: Stroke, group: list[Stroke], said: set[str]) -> None:
    group.remove(stroke)
    said.update(_telling(stroke))


def _fresh(strokes: Sequence[Stroke], said: set[str]) -> Iterator[Stroke]:
    """Yield attributes with no adjective and no noun used so far. The caller adds to `said` meanwhile."""
    for stroke in strokes:
        if said.isdisjoint(_telling(stroke)):
            yield stroke


def _telling(stroke: Stroke) -> set[str]:
    found = {adjective.split()[-1] for adjective in stroke.adjectives} - words("hollow_qualities")
    return found | {stroke.noun} if stroke.noun and stroke.kind not in _BASES else found


def _worded(stroke: Stroke) -> str:
    if stroke.kind is StrokeKind.IS:
        return _row(stroke)
    if stroke.denied and not stroke.counted:
        return f"no {stroke.phrase}"
    return with_article(stroke.phrase) if stroke.counted else stroke.phrase


def _row(stroke: Stroke) -> str:
    """Word a row: "short, plump and fair". A contrast keeps the book's words."""
    if {"but", "yet"} & set(stroke.phrase.split()):
        return stroke.phrase
    return listed(list({a.split()[-1]: a for a in stroke.adjectives}.values()))
