"""The parser that comes with Bookworm, loaded when a text is first parsed."""

from __future__ import annotations

from functools import cache

from coref.errors import ResolverUnavailable
from coref.protocols import ParsesText
from coref.registry import make_resolver


@cache
def native() -> ParsesText:
    resolver = make_resolver("native")
    if not isinstance(resolver, ParsesText):
        raise ResolverUnavailable("The native resolver parses no texts.")
    return resolver
