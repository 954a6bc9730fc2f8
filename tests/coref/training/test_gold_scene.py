"""Scenes made of the gold mentions, some of them given to somebody else as a resolver would."""

from __future__ import annotations

import pytest

from books.types import Span
from coref.language.tokens import tokenize
from coref.training.gold_scene import gold_scene
from coref.training.litbank_quotations import LitbankPlace
from coref.types import MentionKind
from tests.coref.conftest import make_book

TEXT = "Tom smiled, and he met Jack. The man sat. He ran. I saw them."
PLACES = {
    "Tom": ("tom", MentionKind.PROPER),
    "he": ("tom", MentionKind.PRONOUN),
    "Jack": ("jack", MentionKind.PROPER),
    "The man": ("jack", MentionKind.NOMINAL),
    "He": ("jack", MentionKind.PRONOUN),
    "I": ("tom", MentionKind.PRONOUN),
}
NOUN, PRONOUN, NAME = MentionKind.NOMINAL, MentionKind.PRONOUN, MentionKind.PROPER


@pytest.mark.parametrize(
    ("mistaken", "wrong"),
    [
        ({}, set()),
        ({NOUN: 1.0}, {"The man"}),
        ({PRONOUN: 1.0}, {"He"}),
        ({NOUN: 1.0, PRONOUN: 1.0}, {"The man", "He"}),
        ({NAME: 1.0}, {"Jack"}),
    ],
)
def test_mentions_are_mistaken_for_others_of_their_gender(
    mistaken: dict[MentionKind, float], wrong: set[str]
) -> None:
    """Tom is alone where he is first meant, and "I" may be of either gender."""
    tokens = tokenize(make_book(TEXT))
    places = [
        LitbankPlace(Span(at := TEXT.index(text), at + len(text)), entity, kind, person=True)
        for text, (entity, kind) in PLACES.items()
    ]
    scene = gold_scene(places, tokens, mistaken=mistaken, seed=1)
    meant = {tokens.surface(s.first, s.end): scene.entities[s.who] for s in scene.spots if s.who is not None}
    assert {text for text, entity in meant.items() if entity != PLACES[text][0]} == wrong
