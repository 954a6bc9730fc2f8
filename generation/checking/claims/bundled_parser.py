"""The parser that comes with Bookworm, loaded when a text is first parsed."""

from __future__ import annotations

from functools import cache

from coref.errors import ResolverUnavailable
from coref.language.syntax import Parse
from coref.protocols import ParsesText
from coref.registry import make_resolver

SHORT = 2_000
"""Characters up to which one thread is as quick as two, and much quicker if others use the cores."""


class Parser:
    """Parses short texts in one thread, and long ones in all of them."""

    def __init__(self, parser: ParsesText) -> None:
        self._parser = parser

    def parse_text(self, text: str) -> Parse:
        from coref.native.threads import for_work  # imports torch

        if len(text) > SHORT:
            return self._parser.parse_text(text)
        with for_work(0):
            return self._parser.parse_text(text)


def of(resolver: object) -> Parser:
    """Return the parser of a resolver."""
    if not isinstance(resolver, ParsesText):
        raise ResolverUnavailable("The resolver that was to parse texts parses none.")
    return Parser(resolver)


@cache
def native() -> Parser:
    return of(make_resolver("native"))
