"""Turn a source into chapters and paragraphs: each step leaves fewer blocks for the next one to explain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from books.edits import ChapterMark
from books.shape.body.blocks import blocks_of
from books.shape.body.kinds import kind_of
from books.shape.body.matter import Trimmed, trim
from books.shape.frame.apparatus import set_apart
from books.shape.headings.chapters import divide
from books.shape.headings.division import Divided, Division, parted_at
from books.shape.plays.plays import Script, find_script
from books.source import Block, Role, Source
from books.types import Chapter, ChaptersBy, Exclusion, Paragraph, ParagraphKind, Part, Play, Span


@dataclass(frozen=True, slots=True)
class Shape:
    chapters: tuple[Chapter, ...]
    paragraphs: tuple[Paragraph, ...]
    excluded: tuple[Exclusion, ...]
    """Exclusions inside the story's frame."""
    play: Play | None
    by: ChaptersBy
    front: tuple[Block, ...]
    """The blocks before the story, even if a reader moved its beginning: a title page may be among them."""
    warnings: tuple[str, ...] = ()


def shape_of(source: Source, frame: Span, marks: Sequence[ChapterMark] | None = None) -> Shape | None:
    """Return the shape of the text in the frame, or None if it is empty; `marks` are a reader's chapters."""
    every = _blocks(source, frame, marks or ())
    blocks, apparatus = set_apart(every)
    if not blocks:
        return None
    script = find_script(blocks)
    blocks = list(script.blocks) if script else blocks
    divided, trimmed = _divisions(source, blocks, script)
    blocks = list(divided.blocks or blocks)
    front = _front(every, blocks[: trimmed.divisions[0].first + 1])
    if marks is not None:
        divided, trimmed = _corrected(blocks, (*divided.divisions, *trimmed.divisions), trimmed, marks)
    chapters, paragraphs = _built(blocks, trimmed, frame.end, script.kinds if script else {})
    inside = [e for e in source.excluded if frame.covers(e.span)]
    return Shape(
        chapters=chapters,
        paragraphs=paragraphs,
        excluded=tuple(_merged([*inside, *apparatus, *trimmed.excluded])),
        play=_staged(script.play, chapters) if script else None,
        by=divided.by,
        front=front,
        warnings=(*divided.warnings, *trimmed.warnings),
    )


def _blocks(source: Source, frame: Span, marks: Sequence[ChapterMark]) -> list[Block]:
    found = source.blocks
    blocks = blocks_of(source.text, frame) if found is None else list(_within(frame, found))
    return list(parted_at([mark.start for mark in marks], blocks)) if marks else blocks


def _front(every: Sequence[Block], kept: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks before the story's first, the last of `kept`, with those marked as front matter."""
    *before, first = kept
    marked = (b for b in every if b.role is Role.FRONT and b.span.start < first.span.start)
    unique = {block.span: block for block in (*marked, *before)}
    return tuple(unique[span] for span in sorted(unique))


def _within(frame: Span, blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks cut to the frame: markup may put a licence's end and the story's start into one block."""
    for block in blocks:
        if frame.covers(block.span):
            yield block
            continue
        start, end = max(block.span.start, frame.start), min(block.span.end, frame.end)
        said = block.within[start:end] if start < end else ""
        if said.strip():
            start += len(said) - len(said.lstrip())
            yield replace(block, span=Span(start, start + len(said.strip())))


def _divisions(source: Source, blocks: Sequence[Block], script: Script | None) -> tuple[Divided, Trimmed]:
    if script is not None and script.divisions:
        divided = Divided(script.divisions, ChaptersBy.ACTS)
    else:
        # A script refers to its blocks by index.
        divided = divide(blocks, source.anchors, whole=script is not None)
    return divided, trim(divided.blocks or blocks, divided.divisions or (Division("", 0, 0),))


def _corrected(
    blocks: Sequence[Block], known: Sequence[Division], found: Trimmed, marks: Sequence[ChapterMark]
) -> tuple[Divided, Trimmed]:
    """Apply a reader's chapters.

    The story ends where it was found to end, unless one of them begins later.
    """
    divisions = _marked(blocks, marks, {d.first: d.body for d in known})
    trimmed = trim(blocks, divisions, ends=False)
    if divisions[-1].first < found.end:
        back = [e for e in found.excluded if e.part is Part.BACK]
        trimmed = Trimmed(divisions, found.end, (*trimmed.excluded, *back))
    return Divided(divisions, ChaptersBy.READER), trimmed


def _marked(
    blocks: Sequence[Block], marks: Sequence[ChapterMark], headed: Mapping[int, int]
) -> tuple[Division, ...]:
    """Return a division for each mark; it begins with the first block from the mark on.

    A heading that was recognised there stays its heading, and so does a block that is just its title.
    """
    divisions: list[Division] = []
    at = 0
    for mark in marks:
        while at < len(blocks) - 1 and blocks[at].span.start < mark.start:
            at += 1
        if divisions and (divisions[-1].first == at or blocks[at].span.start < mark.start):
            continue
        said = " ".join(blocks[at].text.split()).casefold()
        heads = len(said) <= len(mark.title) and said.strip("_*=. ") in mark.title.casefold()
        divisions.append(Division(mark.title, at, headed.get(at, at + heads)))
    ends = [*(division.first for division in divisions[1:]), len(blocks)]
    return tuple(replace(d, body=min(d.body, end)) for d, end in zip(divisions, ends, strict=True))


def _built(
    blocks: Sequence[Block], trimmed: Trimmed, end: int, kinds: Mapping[int, ParagraphKind]
) -> tuple[tuple[Chapter, ...], tuple[Paragraph, ...]]:
    divisions = trimmed.divisions
    starts = [blocks[d.first].span.start for d in divisions]
    last = blocks[trimmed.end].span.start if trimmed.end < len(blocks) else end
    chapters = tuple(
        Chapter(i, d.title, Span(start, stop))
        for i, (d, start, stop) in enumerate(zip(divisions, starts, [*starts[1:], last], strict=True))
    )
    stops = [*(d.first for d in divisions[1:]), trimmed.end]
    paragraphs: list[Paragraph] = []
    for chapter, (division, stop) in enumerate(zip(divisions, stops, strict=True)):
        for at in range(division.first, stop):
            heading = at < division.body
            kind = ParagraphKind.HEADING if heading else kinds.get(at) or kind_of(blocks[at])
            block = blocks[at]
            paragraphs.append(Paragraph(len(paragraphs), chapter, block.span, kind, block.locator))
    return chapters, tuple(paragraphs)


def _staged(play: Play, chapters: Sequence[Chapter]) -> Play:
    """Restrict a play to the story: a reader's chapters may leave out the rest."""
    story = Span(chapters[0].span.start, chapters[-1].span.end)
    speeches = tuple(s for s in play.speeches if story.covers(s.label) and story.covers(s.span))
    return Play(speeches, tuple(d for d in play.directions if story.covers(d)))


def _merged(exclusions: Sequence[Exclusion]) -> Iterator[Exclusion]:
    """Return exclusions in order without overlap; one inside another is dropped."""
    reached = 0
    for exclusion in sorted(exclusions, key=lambda e: (e.span.start, -e.span.end)):
        if exclusion.span.end > reached:
            yield exclusion
            reached = exclusion.span.end
