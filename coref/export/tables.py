"""Tables for people: the cast, the mentions and the quotes as CSV for spreadsheets, and the cast as Markdown.

A CSV file starts with a byte-order mark, because Excel takes UTF-8 without one for an older encoding. A text
that a spreadsheet would take for a formula has an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from books.types import Book, Span
from coref.doubtful_people import doubtful_people
from coref.types import Annotations

WhoTexts = Mapping[str, tuple[str, tuple[Span, ...]]]
"""By character the line that says who they are, and its places."""
Row = tuple[object, ...]

CAST: Final = (
    *("name", "other_names", "pronouns", "mentions", "first_chapter", "last_chapter", "who", "where"),
    *("id", "kind", "doubt"),
)
"""`where`: the places in the book that `who` is from. `doubt`: why this may be no one person."""
_PLACE: Final = ("chapter", "paragraph", "start", "end")
MENTIONS: Final = ("words", "character", "character_id", "kind", "category", "confidence", *_PLACE)
QUOTES: Final = (
    *("words", "speaker", "speaker_id", "addressee", "addressee_id", "quote_type", "confidence"),
    *_PLACE,
)
_SHOWN: Final = CAST.index("id")
"""Number of columns of the cast in Markdown: all before the id."""
_FORMULA: Final = tuple("=+-@\t\r＝＋－＠")
"""In Chinese and Japanese spreadsheets the wide signs begin a formula, too."""
_MARKUP: Final = re.compile(r"[\\|<\[`*~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
"""Of “_” within a word, and of “&” before no reference to a character, nothing begins."""
_BLOCK: Final = re.compile(r"\d{1,9}(?=[.)](?:\s|$))|(?=(?:#{1,6}|[-+])(?:\s|$)|-(?:\s*-){2,}\s*$|>)")
"""Up to where the mark of a heading, list, line or quotation would stand: of a list after its number."""


def to_csv(book: Book, annotations: Annotations, who: WhoTexts) -> dict[str, str]:
    """Return the content of each file by the ending of its name."""
    return {
        "characters.csv": _csv(CAST, _cast(book, annotations, who)),
        "mentions.csv": _csv(MENTIONS, _mentions(book, annotations)),
        "quotes.csv": _csv(QUOTES, _quotes(book, annotations)),
    }


def to_markdown(book: Book, annotations: Annotations, who: WhoTexts, *, how_far: str = "") -> str:
    """Return the cast as a table, without ids, under how much of the book it is from, if not all of it."""
    head = (name.replace("_", " ").capitalize() for name in CAST)
    rows: Iterable[Row] = (tuple(head), ("---",) * _SHOWN, *_cast(book, annotations, who))
    table = "".join(f"| {' | '.join(map(escaped, row[:_SHOWN]))} |\n" for row in rows)
    return f"{how_far}\n\n{table}" if how_far else table


def _csv(head: Row, rows: Iterable[Row]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(map(_guarded, row) for row in (head, *rows))
    return f"\ufeff{out.getvalue()}"


def _guarded(value: object) -> object:
    formula = isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA)
    return f"'{value}" if formula else value


def escaped(value: object) -> str:
    """Return a text for Markdown on one line, in which no emphasis, link, tag, code or cell begins.

    At the beginning of a line it may still begin a heading, a list or a quotation; see `plain_block`.
    """
    return " ".join(_MARKUP.sub(r"\\\g<0>", str(value)).split())


def plain_block(text: str) -> str:
    """Return a line of Markdown that is a paragraph, whatever words it begins with."""
    mark = _BLOCK.match(text)
    return f"{mark[0]}\\{text[mark.end() :]}" if mark else text


def _cast(book: Book, annotations: Annotations, who: WhoTexts) -> Iterator[Row]:
    last = {mention.character: mention.span.start for mention in annotations.mentions}
    doubtful = doubtful_people(annotations)
    for c in annotations.characters:
        others = "; ".join(alias.text for alias in c.aliases if alias.text != c.name)
        chapters = _chapter(book, c.first), _chapter(book, last.get(c.id, c.first))
        line, places = who.get(c.id, ("", ()))
        told = "; ".join(_told(book, place) for place in places)
        doubt = doubtful[c.id].told if c.id in doubtful else ""
        known = c.name, others, c.pronouns or "", c.mention_count, *chapters
        yield *known, line, told, c.id, c.kind.value, doubt


def _mentions(book: Book, annotations: Annotations) -> Iterator[Row]:
    names = _names(annotations)
    for m in annotations.mentions:
        known = m.kind.value, m.category.value, m.confidence
        yield _words(book, m.span), *names[m.character], *known, *_place(book, m.span)


def _quotes(book: Book, annotations: Annotations) -> Iterator[Row]:
    names = _names(annotations)
    for q in annotations.quotes:
        people = *names[q.speaker], *names[q.addressee]
        known = q.type.value if q.type else "", q.confidence
        yield _words(book, q.span), *people, *known, *_place(book, q.span)


def _names(annotations: Annotations) -> dict[str | None, tuple[str, str]]:
    """Return the name and the id of each character, both empty for None."""
    return {None: ("", ""), **{c.id: (c.name, c.id) for c in annotations.characters}}


def _words(book: Book, span: Span) -> str:
    """Return the words on one line, without a page number or a note among them."""
    return " ".join(book.told(span).split())


def _place(book: Book, span: Span) -> Row:
    paragraph = book.paragraph_at(span.start)
    return _chapter(book, span.start), "" if paragraph is None else paragraph.index, span.start, span.end


def _chapter(book: Book, offset: int) -> int | str:
    chapter = book.chapter_at(offset)
    return chapter.number if chapter else ""


def _told(book: Book, span: Span) -> str:
    paragraph = book.paragraph_at(span.start)
    where = "" if paragraph is None else f", p:{paragraph.index}"
    return f"chapter {_chapter(book, span.start)}{where}"
