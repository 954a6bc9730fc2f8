"""Write the text of marked-up pages: HTML white space, blocks, marks inside blocks, places."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from books.encodings import composed
from books.source import Block, Role
from books.types import Exclusion, Part, Span

PAGE_NUMBER = "page number"
NOTE_MARK = "mark of a footnote"
INLINE_NOTE = "footnote"
_BETWEEN = "\n\n"
_ALONE = {PAGE_NUMBER: Role.PAGE, NOTE_MARK: Role.NOTE, INLINE_NOTE: Role.NOTE}
"""The role of a block that holds nothing but a mark."""
_VERSE_LINE = 75
_LONGEST_HEADING = 300
_LINE_OF_PROSE = 200
_FEWEST_LINES = 3
_MOSTLY = 0.6
_LIST_OF_LINKS = 3
_PROSE = (Role.TEXT, Role.UNKNOWN)
_OVERRULED = (*_PROSE, Role.HEADING, Role.VERSE)


@dataclass(frozen=True, slots=True)
class Setting:
    """What the enclosing elements say about the text."""

    role: Role = Role.UNKNOWN
    level: int = 0


@dataclass(frozen=True, slots=True)
class Written:
    text: str
    blocks: tuple[Block, ...]
    excluded: tuple[Exclusion, ...]
    places: dict[tuple[str, str], int]
    """By file and id: where the block with the element begins, or else the first block after it.

    The id "" is the file itself; a place that no text follows is at the end of the text.
    """


@dataclass(slots=True)
class _Draft:
    start: int
    setting: Setting
    locator: str
    pieces: list[str] = field(default_factory=list)
    marks: list[tuple[int, int, str]] = field(default_factory=list)
    links: int = 0
    linked: int = 0
    """Number of characters inside links."""


class Writer:
    def __init__(self) -> None:
        self.setting = Setting()
        self.locate: Callable[[str | None], str] = lambda _: ""
        """Returns the walker's position, given the nearest id."""
        self.file = ""
        self._written = bytearray()
        """The text so far as UTF-8: a text with curly quotes takes half the memory until it is complete."""
        self._size = 0
        """Length of the written text, in characters."""
        self._at = 0
        """Offset at which the text of the current block ends."""
        self._draft: _Draft | None = None
        self._gap = ""
        self._initial = ""
        self._mark = ""
        self._mark_from: int | None = None
        self._later: list[tuple[str, list[str]]] = []
        self._in_link = False
        self._waiting: list[str] = []
        self._places: dict[tuple[str, str], int] = {}
        self._blocks: list[tuple[Span, Setting, str, int]] = []
        self._excluded: list[Exclusion] = []

    @property
    def here(self) -> int:
        """Return the current offset in the text."""
        return self._at if self._draft is not None else self._next

    @property
    def begun(self) -> bool:
        """Return whether the current block holds any text."""
        return self._draft is not None

    def write(self, text: str) -> None:
        """Write text: white space of any kind collapses and never stands at the end of a block."""
        words = text.split()
        if not words:
            self._gap = self._gap or " "
            return
        if text[0].isspace():
            self._gap = self._gap or " "
        self._put(" ".join(words))
        self._gap = " " if text[-1].isspace() else ""

    def write_as_is(self, text: str) -> None:
        """Write the lines of a `<pre>`; a blank line ends the block."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.line_break()
            bare = line.strip()
            if not bare:
                self._gap = self._gap or (" " if line else "")
                continue
            indent = line[: len(line) - len(line.lstrip())]
            if self._gap == "\n":
                self._gap += indent
            elif indent:
                self._gap = indent
            self._put(bare)
            self._gap = " " if line[-1].isspace() else ""

    def line_break(self, *, again: bool = True) -> None:
        """Break the line; a second break in a row ends the block, unless `again` is False."""
        if self._gap.startswith("\n") and again and self.setting.role is not Role.HEADING:
            self.end()
        else:
            self._gap = "\n"

    def cell(self) -> None:
        """Begin a new cell of a table row."""
        self._gap = "\t"

    def initial(self, letter: str) -> None:
        """Take the letter of an initial that is a picture; the next text continues the word."""
        if self._draft is None:
            self._initial = letter

    def place(self, name: str) -> None:
        """Record an id, which points to the text that comes next."""
        self._waiting.append(name)

    def enter_link(self) -> None:
        self._in_link = True
        if self._draft is not None:
            self._draft.links += 1

    def leave_link(self) -> None:
        self._in_link = False

    def begin_mark(self, reason: str) -> None:
        """Begin a mark: text until `end_mark` is not part of the block's content."""
        self._mark = reason
        if self._draft is not None and self.setting.role is Role.HEADING:
            self._later.append((reason, []))

    def end_mark(self) -> None:
        self._settle_mark()
        draft, reason = self._draft, self._mark
        self._mark = ""
        if draft is not None and reason == PAGE_NUMBER and self._is_mark(draft):
            self.end()

    def end(self) -> None:
        """Finish the current block."""
        if self._draft is None and not self._later:
            self._gap = self._initial = ""
            self._mark_from = None
            return
        self._settle_mark()
        draft, self._draft = self._draft, None
        self._gap = self._initial = ""
        if draft is not None:
            self._keep(draft)
        later, self._later = self._later, []
        for reason, pieces in later:
            if text := " ".join("".join(pieces).split()):
                self._add(text, Setting(_ALONE[reason]), draft.locator if draft else "")

    def finish(self) -> Written:
        self.end()
        text, self._written = self._written.decode(), bytearray()
        for name in self._waiting:
            self._places.setdefault((self.file, name), len(text))
        blocks = tuple(
            Block(text, span, setting.role, setting.level, locator or None)
            for span, setting, locator in _without_link_lists(self._blocks)
        )
        return Written(text, blocks, tuple(self._excluded), _snapped(self._places, blocks))

    def next_file(self, name: str) -> None:
        """Begin another file."""
        self.end()
        self.setting = Setting()
        for waiting in self._waiting:
            self._places.setdefault((self.file, waiting), self._next)
        self._waiting = [""]
        self.file = name

    @property
    def _next(self) -> int:
        """Return the offset at which the next block will begin."""
        return self._size + (len(_BETWEEN) if self._size else 0)

    def _put(self, text: str) -> None:
        text = composed(text)  # of references, which are no letters before
        if self._later and self._mark:
            self._later[-1][1].append(self._gap + text)
            return
        draft = self._draft
        if draft is None:
            locator = self.locate(self._nearest_place())
            draft = self._draft = _Draft(self._next, self.setting, locator)
            draft.links = int(self._in_link)
            self._at = draft.start
            gap = self._with_initial(text)
        else:
            gap = self._gap
        if gap:
            draft.pieces.append(gap)
            self._at += len(gap)
        if self._mark:
            self._mark_from = self._at if self._mark_from is None else self._mark_from
        elif self._waiting:
            self._resolve()
        draft.pieces.append(text)
        self._at += len(text)
        if self._in_link:
            draft.linked += len(text)

    def _nearest_place(self) -> str | None:
        return next((i for i in reversed(self._waiting) if i), None) if self._waiting else None

    def _with_initial(self, text: str) -> str:
        """Prefix the letter of a picture; a space is kept only after a letter that is a word by itself."""
        letter, self._initial = self._initial, ""
        if not letter:
            return ""
        apart = self._gap and letter[-1] in "AIO" and text[:1].islower()
        return f"{letter} " if apart else letter

    def _resolve(self) -> None:
        for name in self._waiting:
            self._places.setdefault((self.file, name), self._at)
        self._waiting = []

    def _settle_mark(self) -> None:
        if self._mark_from is not None and self._draft is not None:
            self._draft.marks.append((self._mark_from, self._at, self._mark))
        self._mark_from = None

    def _is_mark(self, draft: _Draft) -> bool:
        """Return whether a block holds nothing but one mark."""
        return bool(draft.marks) and draft.marks[0][:2] == (draft.start, self._at)

    def _keep(self, draft: _Draft) -> None:
        text = "".join(draft.pieces)
        if not draft.links and not draft.marks and "\n" not in text:
            self._add(text, _judged(draft.setting, text, (text,)), draft.locator)
            return
        links = draft.links if draft.linked >= _MOSTLY * len(text) else 0
        if self._is_mark(draft) and draft.setting.role in _OVERRULED:
            self._add(text, Setting(_ALONE[draft.marks[0][2]]), draft.locator)
            return
        lines = text.split("\n")
        setting = _judged(draft.setting, text, lines)
        self._excluded += [Exclusion(Span(s, e), Part.APPARATUS, why) for s, e, why in draft.marks]
        if setting.role in _PROSE and len(lines) > _FEWEST_LINES and max(map(len, lines)) > _LINE_OF_PROSE:
            self._add_lines(lines, setting, draft.locator)
        else:
            self._add(text, setting, draft.locator, links)

    def _add_lines(self, lines: Sequence[str], setting: Setting, locator: str) -> None:
        """Add paragraphs that are separated only by `<br>`: the text keeps its single line ends."""
        between = _BETWEEN
        for line in lines:
            bare = line.lstrip()
            self._add(bare, setting, locator, between=between + line[: len(line) - len(bare)])
            between = "\n"

    def _add(
        self, text: str, setting: Setting, locator: str, links: int = 0, between: str = _BETWEEN
    ) -> None:
        if self._size:
            self._written += between.encode()
            self._size += len(between)
        self._written += text.encode()
        self._blocks.append((Span(self._size, self._size + len(text)), setting, locator, links))
        self._size += len(text)


def _judged(setting: Setting, text: str, lines: Sequence[str]) -> Setting:
    if setting.role is Role.HEADING and len(text) > _LONGEST_HEADING:
        return Setting(Role.TEXT)
    if len(lines) >= _FEWEST_LINES and setting.role in _PROSE and max(map(len, lines)) <= _VERSE_LINE:
        return Setting(Role.VERSE)
    return setting


def _without_link_lists(
    blocks: Sequence[tuple[Span, Setting, str, int]],
) -> Iterator[tuple[Span, Setting, str]]:
    """Set the role of blocks that are a table of contents: several links with hardly any other text."""
    run: list[tuple[Span, Setting, str, int]] = []
    for block in (*blocks, None):
        if block is not None and block[3] and block[1].role in (*_PROSE, Role.VERSE):
            run.append(block)
            continue
        listed = sum(links for *_, links in run) >= _LIST_OF_LINKS
        for span, setting, locator, _ in run:
            yield span, replace(setting, role=Role.CONTENTS) if listed else setting, locator
        run = []
        if block is not None:
            yield block[:3]


def _snapped(places: dict[tuple[str, str], int], blocks: Sequence[Block]) -> dict[tuple[str, str], int]:
    starts = [block.span.start for block in blocks]
    snapped = {}
    for key, at in places.items():
        index = bisect_right(starts, at) - 1
        inside = index >= 0 and at < blocks[index].span.end
        snapped[key] = starts[index] if inside else at
    return snapped
