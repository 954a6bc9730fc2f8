"""Markdown: CommonMark with tables, footnotes and front matter, as novels are written in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any, Final

from markdown_it import MarkdownIt

from books.encodings import decode
from books.errors import EmptyBook
from books.formats.laying import Piece, laid_out
from books.formats.markdown_blocks import NESTING, Blocks
from books.formats.markdown_inline import Inline
from books.formats.markdown_matter import Note, matter_of, without_notes
from books.limits import Limits
from books.source import Role, Source

_MOST_BRACKETS: Final = 20_000
"""A text with more brackets is no novel; it is parsed without links, which would take minutes."""
_CHUNK: Final = 64 * 1024
_FRESH: Final = re.compile(r"\n[^\S\n]*\n(?=[^\W\d_]|#{1,6} |[“‘\"])")
"""A paragraph or heading at the margin after a blank line closes everything that was open."""
_TOC: Final = re.compile(r"\[\[?_?toc_?\]\]?", re.I)
"""The place where a program puts the table of contents."""
_REACHES_FAR: Final = re.compile(
    r"^ {0,3}(?:```|~~~|\[[^\]\n]{1,200}\]:|<(?:script|pre|style|textarea|!|\?))", re.M | re.I
)


def read(data: bytes, *, limits: Limits, encoding: str | None) -> Source:
    decoded = decode(data, order=encoding)
    matter = matter_of(decoded.text)
    text, notes = without_notes(decoded.text[matter.end :])
    line = decoded.text.count("\n", 0, matter.end)
    env: dict[str, Any] = {}
    links = text.count("[") <= _MOST_BRACKETS
    inline = Inline(env, {note.label for note in notes}, links=links)
    told = chain(_body_pieces(text, line, env, inline, limits), _noted(notes, line, inline))
    # freed here; the consumer frees the rest after the last piece
    decoded, text = replace(decoded, text=""), ""
    blocks = laid_out(told)
    if not blocks:
        raise EmptyBook("The Markdown file holds no text.")
    return Source(
        text=blocks[0].within,
        format="markdown",
        encoding=decoded.encoding,
        encoding_by=decoded.by,
        blocks=blocks,
        title=matter.title,
        author=matter.author,
        language=matter.language,
        warnings=decoded.warnings,
    )


def _body_pieces(
    text: str, line: int, env: dict[str, Any], inline: Inline, limits: Limits
) -> Iterator[Piece]:
    for chunk in _chunks(text):
        blocks = Blocks(chunk.split("\n"), line, inline, limits)
        blocks.take(_parser().parse(chunk, env))
        yield from (piece for piece in blocks.pieces if not _TOC.fullmatch(piece.text))
        line += chunk.count("\n")


def _chunks(text: str) -> Iterator[str]:
    """Split the text into parts that parse the same alone.

    The parser's tokens take many times the memory of the text.
    """
    start = 0
    if not _REACHES_FAR.search(text):
        while fresh := _FRESH.search(text, start + _CHUNK):
            yield text[start : fresh.end()]
            start = fresh.end()
    yield text[start:]


@cache
def _parser() -> MarkdownIt:
    """Return a parser for blocks only.

    Indented text is a paragraph, not code: that is what authors of novels mean by it.
    """
    parser = MarkdownIt("commonmark", {"maxNesting": NESTING}).enable("table")
    return parser.disable(["code", "inline", "text_join"])


def _noted(notes: Sequence[Note], line: int, inline: Inline) -> Iterator[Piece]:
    for note in notes:
        for part in re.split(r"\n\n+", note.text):
            if text := inline.text(part)[0]:
                yield Piece(text, Role.NOTE, 0, f"line {line + note.line}")
