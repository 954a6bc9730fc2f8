"""What the resolver knows of each mention, on a small book."""

from __future__ import annotations

import pytest

from books.types import Book
from coref.names.certainty import MentionFacts, MentionSort
from coref.native.mention_facts import facts_of
from coref.native.resolver import NativeResolver
from coref.types import Annotations
from tests.coref.conftest import make_book

STORY = """Chapter 1

Mrs. Hale lived in Milton with her son Tom. She had a house near the river, and she loved it.

“I am tired,” said Tom. “Where have you been?”

“I went to see Anne Vane,” said Mrs. Hale.

Tom laughed. She sighed, and Anne Vane came in. Then she went to the window.
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return make_book(STORY)


@pytest.fixture(scope="module")
def resolver() -> NativeResolver:
    return NativeResolver()


@pytest.fixture(scope="module")
def facts(book: Book, resolver: NativeResolver) -> dict[int, MentionFacts]:
    """Keyed by where the mention begins."""
    ground, meaning = resolver.resolve(book)
    found = facts_of(ground, meaning)
    return {s.span.start: found[s.at] for s in reversed(meaning.sightings) if s.at in found}


def of(facts: dict[int, MentionFacts], before: str) -> MentionFacts:
    return facts[STORY.index(before)]


def test_names(facts: dict[int, MentionFacts]) -> None:
    first, again = of(facts, "Mrs. Hale lived"), of(facts, "Mrs. Hale.\n")
    assert first.sort is again.sort is MentionSort.NAME
    assert (first.raw, first.distance, first.gap) == (1.0, None, None)
    assert again.distance is not None
    assert not again.bare
    assert of(facts, "Tom laughed").bare


def test_how_far_the_name_is_and_who_was_named_since(facts: dict[int, MentionFacts]) -> None:
    near, far = of(facts, "She had"), of(facts, "she went to")
    assert near.sort is far.sort is MentionSort.THIRD
    assert near.distance == STORY.index("She had") - len("Chapter 1\n\nMrs. Hale")
    assert near.rivals == 0, "Tom is a man"
    assert near.gendered
    assert near.topic
    assert far.distance is not None
    assert (near.newcomer, far.newcomer) == (False, True), "Anne has just come in"


def test_speech(facts: dict[int, MentionFacts]) -> None:
    said = of(facts, "I am tired")
    assert said.sort is MentionSort.FIRST_QUOTED
    assert said.turn
    assert said.speaker > 0.5
    assert of(facts, "Tom laughed").speaker == 0.0


def test_the_confidence_of_a_character_is_a_probability(
    book: Book, resolver: NativeResolver, facts: dict[int, MentionFacts]
) -> None:
    found: Annotations = resolver.annotate(book)
    theirs = [m for m in found.mentions if m.character is not None]
    assert theirs
    assert all(0 < m.confidence < 1 for m in theirs)
