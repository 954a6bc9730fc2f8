"""Plays: acts and scenes are the chapters, labels name the speakers, directions are not speech."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from books.shape.headings.acts import ActHeading, act_headings
from books.shape.headings.division import Division, parted_at
from books.shape.headings.headings import HeadingKind, claim_of
from books.shape.plays.directions import is_direction, is_setting, lines_within, opens_as_direction
from books.shape.plays.labels import Manner, SpeakerLabel, candidates, labels_among, may_have_labels
from books.shape.plays.personae import personae
from books.shape.plays.staging import Staging, is_in_prose, is_rounded
from books.source import Block
from books.types import ParagraphKind, Play, Span

_LONG_SPEECH = 1500
"""A label accounts for this much of the text after it, or up to the next label."""
_COVERED = 0.4
"""A smaller share of labelled text is a novel with a chapter set like a play."""
_USUAL_SPEECH = 800
"""Half the speeches of any play are shorter."""
_LABELS, _SPEAKERS, _DIRECTIONS = 10, 2, 3
_AFTER_LABEL = " \n\t.:_*"
_LIST = 60
"""Maximum blocks in a list of characters."""
_BEFORE = 5
"""Blocks before the first speech in which a play without acts may set its scene."""


@dataclass(frozen=True, slots=True)
class Script:
    """A text that was found to be a play."""

    blocks: tuple[Block, ...]
    """Split again, so that no block holds two speeches."""
    divisions: tuple[Division, ...]
    kinds: Mapping[int, ParagraphKind]
    """Kinds by block; headings have none."""
    play: Play


def find_script(blocks: Sequence[Block]) -> Script | None:
    """Return the script, or None for anything that is not certainly a play."""
    if not blocks or not may_have_labels(blocks):
        return None
    found = candidates(blocks)
    if len(found) < _LABELS or not _covers(found, blocks):
        return None
    labels = _spoken(labels_among(found, blocks, ()), blocks)
    if len(labels) < _LABELS:
        return None
    headings = act_headings(blocks, [label.line for label in labels])
    first = headings[0].start if headings else _opening(blocks, labels)
    persons = personae(blocks, first)
    labels = _spoken(labels_among(found, blocks, persons.names if persons else ()), blocks)
    heads = {heading.start for heading in headings}
    labels = [label for label in labels if label.line >= first and label.line not in heads]
    if not _covers(labels, blocks) or not _recur(labels):
        return None
    if not headings and persons is None and not _has_directions(blocks, labels):
        return None
    return _script(blocks, labels, headings)


def _covers(labels: Sequence[SpeakerLabel], blocks: Sequence[Block]) -> bool:
    begin, end = blocks[0].span.start, blocks[-1].span.end
    stops = [*(label.line for label in labels[1:]), end]
    covered = sum(min(stop - label.line, _LONG_SPEECH) for label, stop in zip(labels, stops, strict=False))
    return covered >= _COVERED * (end - begin)


def _recur(labels: Sequence[SpeakerLabel]) -> bool:
    """Return whether a few speakers take turns; headings and signatures of letters stand far apart."""
    counts = Counter(label.name for label in labels)
    several = [count for count in counts.values() if count > 1]
    if len(labels) < _LABELS or len(several) < _SPEAKERS or 2 * sum(several) <= len(labels):
        return False
    gaps = sorted(after.line - label.line for label, after in pairwise(labels))
    return gaps[len(gaps) // 2] <= _USUAL_SPEECH


def _spoken(labels: Sequence[SpeakerLabel], blocks: Sequence[Block]) -> list[SpeakerLabel]:
    """Drop the names in a list, which have nothing under them."""
    if not labels:
        return []
    text, end = blocks[0].within, blocks[-1].span.end
    stops = [*(label.line for label in labels[1:]), end]
    pairs = zip(labels, stops, strict=True)
    return [label for label, stop in pairs if text[label.after : stop].strip(_AFTER_LABEL)]


def _has_directions(blocks: Sequence[Block], labels: Sequence[SpeakerLabel]) -> bool:
    staged = sum(label.manner is Manner.DIRECTION for label in labels)
    heads = (block.within[block.span.start : block.span.start + 80] for block in blocks)
    return staged + sum(head[0] == "[" or opens_as_direction(head) for head in heads) >= _DIRECTIONS


def _opening(blocks: Sequence[Block], labels: Sequence[SpeakerLabel]) -> int:
    """Return where a play without acts begins: where its scene is set.

    Lines in a list before it may look like labels.
    """
    first = labels[0].line
    persons = personae(blocks, first)
    if persons is None:
        return first
    listed = bisect_left(blocks, persons.span.start, key=lambda block: block.span.start)
    for block in blocks[listed : listed + _LIST]:
        head = block.within[block.span.start : block.span.start + 80]
        if is_setting(head) or (block.span.start < first and opens_as_direction(head)):
            return block.span.start
    return first


def _script(
    blocks: Sequence[Block], labels: Sequence[SpeakerLabel], headings: Sequence[ActHeading]
) -> Script:
    parted = list(parted_at(_cuts(blocks, labels, headings), blocks))
    parted = list(_joined(parted, labels, {heading.start for heading in headings}))
    starts = [block.span.start for block in parted]
    divisions = _divisions(headings, starts) or [_whole(parted, bisect_left(starts, labels[0].line))]
    staging = Staging(
        labels={label.line: label for label in labels},
        headings={starts[at] for d in divisions for at in range(d.first, d.body)}
        | {starts[bisect_left(starts, h.start)] for h in headings},
        last=labels[-1].line,
        total=blocks[-1].span.end,
        rounded=is_rounded(blocks[0].within, labels),
        in_prose=is_in_prose(blocks[0].within, labels),
        names={label.name.split()[0] for label in labels},
    )
    staging.walk(parted, divisions[0].first)
    last = max(labels[-1].line, *(h.start for h in headings), 0)
    divisions += _afterwards(parted, bisect_left(starts, last) + 1)
    return Script(tuple(parted), tuple(divisions), staging.kinds, staging.play)


def _cuts(
    blocks: Sequence[Block], labels: Sequence[SpeakerLabel], headings: Sequence[ActHeading]
) -> list[int]:
    """Return where blocks must be split: at labels, and around headings and lines of direction."""
    cuts = {label.line for label in labels} | {at for h in headings for at in (h.start, h.end)}
    for block in blocks:
        for span in lines_within(block.within, block.span):
            cuts |= {span.start, span.end}
    return sorted(cuts)


def _joined(blocks: Sequence[Block], labels: Sequence[SpeakerLabel], headings: Set[int]) -> Iterator[Block]:
    """Join a label that stands alone with the speech under it."""
    after = {label.line: label.after for label in labels}
    apart = headings | after.keys()
    held: Block | None = None
    for block in blocks:
        if held is not None and not _is_apart(block, apart):
            yield replace(held, span=Span(held.span.start, block.span.end))
            held = None
            continue
        if held is not None:
            yield held
        speech_start = after.get(block.span.start)
        is_bare = speech_start is not None and not block.within[speech_start : block.span.end].strip(
            _AFTER_LABEL
        )
        held = block if is_bare else None
        if held is None:
            yield block
    if held is not None:
        yield held


def _is_apart(block: Block, apart: Set[int]) -> bool:
    return block.span.start in apart or is_direction(block.text, after_label=True)


def _divisions(headings: Sequence[ActHeading], starts: Sequence[int]) -> list[Division]:
    """Make the divisions; an act with no speech before its first scene shares one heading with it."""
    found: list[Division] = []
    held: ActHeading | None = None
    for heading, following in pairwise([*headings, None]):
        assert heading is not None
        nests = following is not None and (following.scene is not None or following.named)
        if heading.scene is None and not heading.spoken and nests and held is None:
            held = heading
            continue
        found.append(_division(heading, held, starts))
        held = None
    return found


def _division(heading: ActHeading, held: ActHeading | None, starts: Sequence[int]) -> Division:
    first = bisect_left(starts, (held or heading).start)
    at = bisect_left(starts, heading.start)
    above = heading.above or (held.head if held else "")
    body = bisect_left(starts, (held or heading).end)
    if held is None or body == at:
        body = bisect_left(starts, heading.end)
    title = f"{above}, {heading.title}" if above else heading.title
    return Division(title, first, max(body, first + 1), heading.named)


def _whole(blocks: Sequence[Block], first: int) -> Division:
    """Make one division for a play without acts, from where its scene is set or from its first speech."""
    for at in range(max(0, first - _BEFORE), first):
        if is_setting(blocks[at].text) or is_direction(blocks[at].text, after_label=False):
            return Division("", at, at)
    return Division("", first, first)


def _afterwards(blocks: Sequence[Block], first: int) -> list[Division]:
    """Make divisions for text with headings of its own after the last speech: notes, an afterword."""
    found = []
    for at in range(first, len(blocks)):
        block = blocks[at]
        claim = claim_of(block.lines[0]) if len(block.span) <= 80 else None
        if claim and claim.kind is HeadingKind.NAMED:
            found.append(Division(block.text.strip(), at, at + 1, claim.series))
    return found
