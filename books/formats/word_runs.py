"""The text of one paragraph of a Word file as it is printed, without deleted or hidden text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from books.formats.word_styles import Styles
from books.formats.word_xml import Element, child, name_of, value

BREAK: Final = "\f"
"""A page or column break; the text after it is another block."""
_NOT_PRINTED: Final = frozenset(
    (
        "del", "moveFrom", "delText", "instrText", "delInstrText", "fldData",
        "pPr", "rPr", "sdtPr", "tblPr", "tcPr", "trPr", "rt", "binData",
    )
)  # fmt: skip
_SIGNS: Final = {"tab": "\t", "cr": "\n", "noBreakHyphen": "\u2011"}
_NOTES: Final = {"footnoteReference": "footnote", "endnoteReference": "endnote"}


@dataclass(slots=True)
class Printed:
    pieces: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Kind and id of each note whose mark stands here; the mark itself is not printed."""
    boxes: list[Element] = field(default_factory=list)
    """Paragraphs of text boxes, which are anchored here but stand by themselves."""

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def printed(paragraph: Element, styles: Styles) -> Printed:
    found = Printed()
    for each in paragraph:
        _walk(each, styles, found)
    return found


def _walk(element: Element, styles: Styles, found: Printed) -> None:
    """Collect the printed text recursively; the parser limits the depth to less than Python's own limit."""
    name = name_of(element)
    if name in _NOT_PRINTED:
        return
    if name == "t":
        found.pieces.append(element.text or "")
    elif name == "p":
        found.boxes.append(element)
    elif name in _SIGNS:
        found.pieces.append(_SIGNS[name])
    elif name == "br":
        found.pieces.append(BREAK if value(element, "type") in ("page", "column") else "\n")
    elif name in _NOTES:
        found.notes.append((_NOTES[name], value(element, "id") or ""))
    elif not (name == "r" and styles.hides(child(element, "rPr"))):
        for each in _alternative(element) if name == "mc:AlternateContent" else element:
            _walk(each, styles, found)


def _alternative(element: Element) -> list[Element]:
    """Return one of the alternative versions that Word stores for newer and for older programs."""
    return [each for each in element if name_of(each) in ("mc:Choice", "mc:Fallback")][:1]
