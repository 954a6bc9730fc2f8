"""Books with mentions marked by hand, parsed by the shipped network."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from books.types import Book
from coref.native.resolver import NativeResolver
from coref.traits.finding import find_traits
from coref.types import Annotations
from tests.generation.novel import story


def parsed(marked: str, **people: str) -> tuple[Book, Annotations]:
    """Return a book with annotations. Names and pronouns are resolved as marked, the rest is computed."""
    return with_grammar(*story(marked, **people))


def with_grammar(book: Book, annotations: Annotations) -> tuple[Book, Annotations]:
    parse = _network().annotate(book).parse
    assert parse is not None
    annotations = replace(annotations, parse=parse)
    return book, replace(annotations, traits=find_traits(book, parse, annotations))


@cache
def _network() -> NativeResolver:
    """Load the network once, since it takes some seconds."""
    return NativeResolver()
