"""The body of a Word file: paragraphs, table rows and text boxes in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from books.formats.laying import role_of_plain
from books.formats.word_runs import BREAK, printed
from books.formats.word_styles import Look, Styles
from books.formats.word_xml import Element, child, is_on, name_of, units
from books.source import Role

_UNITS: Final = ("p", "tr")
"""The units of reading: a paragraph, or a table row with all its content."""
_LONG_LINE: Final = 100
"""Longer lines are paragraphs, whichever key separated them."""
_PARTS = re.compile(rf"{BREAK}|\n(?:[^\S\n]*\n)+")
_PLAIN: Final = (Role.UNKNOWN, Role.TEXT)
_ENDS: Final = (".", "!", "?", "”", '"', "’", "'", ":", "—", "*")
_MOST: Final = 0.5
_MOST_BESIDE: Final = 0.3
"""If text boxes and tables exceed this share of the text, they are the story."""
_WRAPPED_WITHIN: Final = 90


@dataclass(frozen=True, slots=True)
class Told:
    """A stretch of text that has no place yet."""

    text: str
    look: Look
    locator: str
    follows: bool = False
    """Whether it directly follows the one before, with no empty paragraph in between."""


@dataclass(slots=True)
class _Body:
    styles: Styles
    told: list[Told] = field(default_factory=list)
    notes: dict[tuple[str, str], None] = field(default_factory=dict)
    count: int = 0
    """Number of paragraphs."""
    begun: str = ""
    """The text of a paragraph whose end mark was deleted: the next paragraph continues it."""
    table: Element | None = None
    """The last table of which a row was read."""
    rows: int = 0
    """The number of its first row in `told`."""
    laid_out: bool = False
    """Whether it only lays out the story: some cell holds a long paragraph."""
    follows: bool = False


def body(data: bytes, styles: Styles) -> tuple[list[Told], list[tuple[str, str]]]:
    """Return the text, and the notes it refers to by kind and id, in order, each once."""
    found = _Body(styles)
    for unit in units(data, _UNITS):
        if not len(unit):
            found.count += 1
            found.follows = False
        elif name_of(unit.getparent()) == "mc:Fallback":
            continue
        elif name_of(unit) == "p":
            _paragraph(unit, found)
        elif child(unit, "trPr", "del") is None:
            _row(unit, found)
    _end(found)
    beside = sum(len(each.text) for each in found.told if each.look.role is Role.ASIDE)
    if beside > _MOST_BESIDE * sum(len(each.text) for each in found.told):
        found.told[:] = map(_within_story, found.told)
    return found.told, list(found.notes)


def _row(row: Element, found: _Body) -> None:
    """Add a table row: one line if its cells are short, else their paragraphs.

    The table is beside the story unless it holds a long paragraph, as that of a play may.
    """
    _end(found)
    first = len(found.told)
    if row.getparent() is not found.table:
        found.table, found.rows, found.laid_out = row.getparent(), first, False
    cells = 0
    for cell in row:
        cells += name_of(cell) == "tc"
        for paragraph in _within(cell):
            _paragraph(paragraph, found)
        _end(found)
    told = found.told[first:]
    if any(len(each.text) > _LONG_LINE for each in told):
        if not found.laid_out:
            found.told[found.rows :] = map(_within_story, found.told[found.rows :])
        found.laid_out = True
    elif 1 < len(told) <= cells:
        line = replace(told[0], text="\t".join(each.text for each in told))
        found.told[first:] = [line if found.laid_out else _beside(line)]


def _end(found: _Body) -> None:
    """End what cannot go on in another cell, or after the table: a paragraph and a stanza."""
    begun, found.begun = found.begun, ""
    if begun.strip():
        _add(begun, Look(), f"paragraph {found.count}", found)
    found.follows = False


def _beside(told: Told) -> Told:
    """Set a plain paragraph apart from the story. What has a style keeps its role."""
    plain = told.look.role in _PLAIN and not told.look.title
    return replace(told, look=Look(Role.ASIDE)) if plain else told


def _within_story(told: Told) -> Told:
    """Take what was set apart from the story back into it."""
    return replace(told, look=Look(role_of_plain(told.text))) if told.look.role is Role.ASIDE else told


def _within(element: Element) -> Iterator[Element]:
    """Yield paragraphs, except those nested in text boxes, which are read with their paragraph."""
    for each in element:
        if name_of(each) == "p":
            yield each
        elif name_of(each) != "mc:Fallback":
            yield from _within(each)


def _paragraph(element: Element, found: _Body) -> None:
    found.count += 1
    locator = f"paragraph {found.count}"
    properties = child(element, "pPr")
    line = printed(element, found.styles)
    found.notes.update(dict.fromkeys(line.notes))
    text = found.begun + line.text
    if label := _label(properties, found.styles):
        text = label + text.lstrip()
    found.begun = ""
    if child(properties, "rPr", "del") is not None:
        found.begun = text
    elif text.strip():
        _add(text, found.styles.look(properties), locator, found)
    else:
        found.follows = False
    if line.boxes:
        _boxes(line.boxes, found, alone=not line.text.strip())


def _boxes(paragraphs: Sequence[Element], found: _Body, *, alone: bool) -> None:
    """Add text boxes. Beside a paragraph with words they are no part of the story, `alone` they are."""
    begun, found.begun = found.begun, ""
    found.follows = False
    first = len(found.told)
    for each in paragraphs:
        _paragraph(each, found)
    _end(found)
    if not alone:
        found.told[first:] = map(_beside, found.told[first:])
    found.begun = begun


def _label(properties: Element | None, styles: Styles) -> str:
    """Return the printed number of a heading, or of a paragraph that calls itself a chapter.

    The numbers of plain lists are counted but not printed.
    """
    place = styles.place(properties)
    end = child(properties, "rPr")
    if place is None or child(end, "del") is not None or is_on(child(end, "vanish")):
        return ""
    label = styles.numbering.count(*place)
    if not label or styles.numbering.says_words(*place):
        return label
    look = styles.look(properties)
    return label if look.role is Role.HEADING or look.title else ""


def _add(text: str, look: Look, locator: str, found: _Body) -> None:
    for part in parts_of(text):
        plain = look.role is Role.UNKNOWN and not look.title
        role = role_of_plain(part) if plain else look.role
        found.told.append(Told(part, replace(look, role=role), locator, found.follows))
        found.follows = True


def parts_of(text: str) -> Iterator[str]:
    """Split a paragraph at page breaks, at blank lines, and at the ends of long lines."""
    for part in _PARTS.split(text):
        lines = [stripped for line in part.split("\n") if (stripped := " ".join(line.split()))]
        if any(len(line) > _LONG_LINE for line in lines):
            yield from lines
        elif lines:
            yield "\n".join(lines)


def joined(told: Sequence[Told]) -> list[Told]:
    """Join the lines of a stanza into one block, and likewise prose with a paragraph for every line."""
    wrapped = _wrapped(told)
    runs: list[list[Told]] = []
    for each in told:
        open_to = runs[-1][-1].look.role if runs else Role.HEADING
        verse = open_to is each.look.role is Role.VERSE
        lines = wrapped and open_to in _PLAIN and each.look.role in _PLAIN
        if each.follows and (verse or lines):
            runs[-1].append(each)
        else:
            runs.append([each])
    return [replace(run[0], text="\n".join(each.text for each in run)) for run in runs]


def _wrapped(told: Sequence[Told]) -> bool:
    """Return whether this is plain text that was opened in Word.

    Such a file has lines as paragraphs and empty paragraphs between the real ones.
    """
    plain = [each for each in told if each.look.role in _PLAIN]
    going_on = [one for one, after in pairwise(plain) if after.follows]
    if len(going_on) < _MOST * len(told) or len(going_on) == len(plain) - 1:
        return False
    ending = sum(each.text.endswith(_ENDS) for each in going_on)
    widest = max((len(each.text) for each in plain), default=0)
    return widest <= _WRAPPED_WITHIN and ending < _MOST * len(going_on)
