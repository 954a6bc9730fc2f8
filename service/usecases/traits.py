"""The traits of a character, up to `upto`."""

from __future__ import annotations

from books.languages import CHINESE
from coref.traits.summary import TraitSummaries, TraitSummary
from service.shelf import View
from service.usecases.characters import met


def traits(view: View, key: str) -> TraitSummary:
    return TraitSummaries(view.book, view.annotations).of(met(view, key).id)


def remarks_on_traits(view: View) -> tuple[str, ...]:
    """Return that no traits are read in the language of a book."""
    return ("Traits are not read in Chinese books.",) if view.book.language == CHINESE else ()
