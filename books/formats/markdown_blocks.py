"""Turn the parser's tokens into pieces of text: headings, paragraphs, verse, lists and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from markdown_it.token import Token

from books.errors import FileHostile
from books.formats.laying import Piece, role_of_plain
from books.formats.markdown_inline import Inline
from books.formats.markup import parse_html
from books.formats.markup_walk import Walker
from books.formats.markup_writer import Writer
from books.limits import Limits
from books.source import Block, Role
from books.types import Span

NESTING: Final = 60
"""The parser drops anything nested deeper."""
_LONGEST_HEADING: Final = 20
"""In words. Longer text above a line of dashes is a paragraph followed by a scene break."""
_INDENTED: Final = ("    ", "\t")
_DIVISION: Final = re.compile(r"^:{3,}[^\n]*(?:\n|$)", re.M)
"""Pandoc's marker for a division of the text; it is not printed."""
_ATTRIBUTES: Final = re.compile(r"[^\S\n]*\{[^{}\n]{0,200}\}[^\S\n]*$")


_BAR: Final = re.compile(r"^\|[^\S\n]?", re.M)
"""Pandoc's marker for a line of verse."""
_BLANK_LINES: Final = re.compile(r"\n[^\S\n]*\n\s*")


class Blocks:
    """Takes tokens in order and collects the resulting text in `pieces`."""

    def __init__(self, source: Sequence[str], line: int, inline: Inline, limits: Limits) -> None:
        self.pieces: list[Piece] = []
        self._source = source
        """The source lines of the tokens."""
        self._line = line
        """The number of source lines before them."""
        self._inline = inline
        self._limits = limits
        self._quotes = 0
        self._marker = ""
        """The marker of the list item that has begun and has no text yet."""
        self._cells: list[str] | None = None
        """The cells of the table row that has begun."""
        self._html: list[str] = []
        self._html_from = ""

    def take(self, tokens: Sequence[Token]) -> None:
        opened = tokens[0] if tokens else None
        for token in tokens:
            if token.level >= NESTING - 1:
                raise FileHostile("The Markdown is nested too deeply to be a book.")
            if token.type == "html_block":
                self._html_from = self._html_from if self._html else self._locator(token)
                self._html.append(token.content)
                continue
            self._flush_html()
            if token.type == "inline":
                assert opened is not None
                self._text(token, opened)
            elif token.type == "fence":
                self._lines(token)
            else:
                opened = token
                self._step(token)
        self._flush_html()

    def _step(self, token: Token) -> None:
        if token.type in ("blockquote_open", "blockquote_close"):
            self._quotes += token.nesting
        elif token.type == "list_item_open":
            self._marker = _marker(token)
        elif token.type == "list_item_close":
            if self._marker[:1].isdigit():  # "12." alone is a list to Markdown, and a chapter to its author
                self._add(self._marker, Role.UNKNOWN, 0, self._locator(token))
            self._marker = ""
        elif token.type == "tr_open":
            self._cells = []
        elif token.type == "tr_close" and self._cells is not None:
            self._add("\t".join(self._cells), Role.TEXT, 0, self._locator(token))
            self._cells = None

    def _text(self, token: Token, opened: Token) -> None:
        if self._cells is not None:
            self._cells += filter(None, [self._inline.text(token.content)[0]])
        elif opened.type == "heading_open":
            self._heading(token, opened)
        else:
            self._paragraph(token)

    def _heading(self, token: Token, opened: Token) -> None:
        text = _ATTRIBUTES.sub("", self._inline.text(token.content)[0])
        underlined = opened.markup in ("-", "=")
        if underlined and len(text.split()) > _LONGEST_HEADING:
            self._add(text, Role.TEXT, 0, self._locator(token))
        else:
            self._add(text, Role.HEADING, int(opened.tag[1:]), self._locator(token))

    def _paragraph(self, token: Token) -> None:
        start, end = token.map or (0, 0)
        lines = self._source[start:end]
        barred = len(lines) > 1 and all(line.lstrip(" >").startswith("|") for line in lines)
        kept = barred or all(line.startswith(_INDENTED) for line in lines)
        content = token.content
        if barred:
            content = _BAR.sub("", content)
        if ":::" in content:
            content = _DIVISION.sub("", content)
        text, hard = self._inline.text(content, lines=kept)
        verse = "\n" in text and (barred or (self._quotes and hard))
        marker, self._marker = self._marker, ""
        if text and marker:
            text = f"{marker} {text}"
        self._add(text, Role.VERSE if verse else role_of_plain(text), 0, self._locator(token))

    def _lines(self, token: Token) -> None:
        """Add a code block line by line: in a novel it is a letter, a sign or a poem."""
        for part in _BLANK_LINES.split(token.content):
            text = "\n".join(filter(None, (" ".join(line.split()) for line in part.split("\n"))))
            self._add(text, role_of_plain(text), 0, self._locator(token))

    def _flush_html(self) -> None:
        if not self._html:
            return
        root = parse_html("".join(self._html), self._limits)
        self._html = []
        if root is None:
            return
        writer = Writer()
        Walker(writer).page(root, "")
        written = writer.finish()
        for block in written.blocks:
            marks = [e.span for e in written.excluded if block.span.covers(e.span)]
            self._add(_without(marks, block), block.role, block.level, self._html_from)

    def _add(self, text: str, role: Role, level: int, locator: str) -> None:
        if text:
            self.pieces.append(Piece(text, role, level, locator))

    def _locator(self, token: Token) -> str:
        return f"line {self._line + (token.map or (0, 0))[0] + 1}"


def _marker(item: Token) -> str:
    """Return the marker of a list item as text.

    A number is part of the text, and so is a dash that opens direct speech.
    """
    if item.info:
        return f"{item.info}{item.markup}"
    return item.markup if item.markup == "-" else ""


def _without(marks: Sequence[Span], block: Block) -> str:
    pieces = []
    at = block.span.start
    for mark in marks:
        pieces.append(block.within[at : mark.start])
        at = mark.end
    return "".join([*pieces, block.within[at : block.span.end]]).strip()
