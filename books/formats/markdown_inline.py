"""The text of one paragraph of Markdown: emphasis, links and HTML are removed, their content stays."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from books.formats.markup_words import elements

_NESTING: Final = 20
"""Depth of links in links and the like; each level may cost the parser the length of the paragraph again."""
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][\w-]*)")
_MARK: Final = re.compile(r"\[\^([^\]\s]{1,80})\]")
_NAMED_SPAN: Final = re.compile(r"\[([^\[\]]{0,500})\]\{[^{}\n]{0,200}\}")
_AS_TEXT: Final = ("text", "text_special", "code_inline")


class Inline:
    def __init__(self, env: dict[str, Any], labels: Container[str], *, links: bool) -> None:
        self._env = env
        """The targets of links that are defined elsewhere in the text."""
        self._labels = labels
        """The labels of footnotes: only a reference to one of them is a footnote mark."""
        self._parser = _parser(links)

    def text(self, content: str, *, lines: bool = False) -> tuple[str, bool]:
        """Return the text, and whether any line ends in a hard break.

        `lines` keeps soft line breaks as well.
        """
        tokens: list[Token] = []
        self._parser.inline.parse(content, self._parser, self._env, tokens)
        hard = any(token.type == "hardbreak" for token in tokens)
        text = "".join(_printed(tokens, "\n" if lines else " "))
        if "[" in text:
            text = _NAMED_SPAN.sub(r"\1", _MARK.sub(self._without_mark, text))
        return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n")))), hard

    def _without_mark(self, mark: re.Match[str]) -> str:
        return "" if mark[1] in self._labels else mark[0]


@cache
def _parser(links: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("strikethrough")
    return parser if links else parser.disable(["link", "image"])


def _printed(tokens: Sequence[Token], soft: str) -> list[str]:
    pieces: list[str] = []
    silent = ""
    for token in tokens:
        if token.type == "html_inline":
            silent = _after(token.content, silent, pieces)
        elif not silent and token.type in _AS_TEXT:
            pieces.append(token.content)
        elif token.type == "softbreak":
            pieces.append(soft)
        elif token.type == "hardbreak":
            pieces.append("\n")
    return pieces


def _after(html: str, silent: str, pieces: list[str]) -> str:
    """Return the element with hidden content that this tag leaves open, if any."""
    tag = _TAG.match(html)
    if tag is None:
        return silent
    closes, name = tag[1], tag[2].lower()
    if silent:
        return "" if closes and name == silent else silent
    if name == "br":
        pieces.append("\n")
    hides = not closes and name in elements("silent") and name not in elements("void")
    return name if hides and not html.endswith("/>") else ""
