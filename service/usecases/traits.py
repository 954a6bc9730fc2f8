"""The traits of a character, up to `upto`."""

from __future__ import annotations

from coref.traits.summary import TraitSummaries, TraitSummary
from service.shelf import View
from service.usecases.characters import met


def traits(view: View, key: str) -> TraitSummary:
    return TraitSummaries(view.book, view.annotations).of(met(view, key).id)
