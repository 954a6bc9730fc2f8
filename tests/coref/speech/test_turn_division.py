"""Whether two quotations of one paragraph are one turn, by the weights that come with the package."""

from __future__ import annotations

import pytest

from coref.native.resolver import NativeResolver
from coref.speech.turn_division import FEATURES
from evaluation.coref.turn_lessons import lesson
from evaluation.corpus.turns import NovelTurns, TurnPair
from tests.coref.conftest import make_book
from tests.coref.test_rules_small import annotate, speaker_of

CAST = "Tom Hale met Anne Vane and Jack Crane. Tom Hale bowed. Anne Vane smiled. Jack Crane sat down.\n\n"
TOM, ANNE, JACK = "Tom Hale", "Anne Vane", "Jack Crane"


@pytest.mark.parametrize(
    ("paragraph", "speakers"),
    [
        ("“One,” said Tom Hale, “two.”", (TOM, TOM)),
        ("“One,” said Tom Hale. He sat down. “Two.”", (TOM, TOM)),
        ("“One,” said Tom Hale. He sat down by the fire. “Two,” he added.", (TOM, TOM)),
        ("“One,” said Tom Hale. “Two,” said Anne Vane.", (TOM, ANNE)),
        ("“One?” said Tom Hale. Jack Crane caught his hand, and cried, “Two.”", (TOM, JACK)),
        ("“One?” he asked. She laughed. “Two,” said Anne Vane. “It is.”", (None, ANNE)),
    ],
)
def test_who_says_two_quotations_of_a_paragraph(paragraph: str, speakers: tuple[str | None, str]) -> None:
    book, found = annotate(CAST + paragraph)
    first, second = speaker_of(book, found, "One"), speaker_of(book, found, "wo")
    assert second == speakers[1]
    assert first == speakers[0] if speakers[0] else first != second


STORY = (
    "Mr. Tom Hale met Mrs. Anne Vane in the garden. “Good morning,” said Tom Hale. "
    "“It rains,” said Anne Vane. “It does,” she added."
)


def test_readers_say_which_quotations_are_one_turn() -> None:
    book = make_book(STORY)
    ground, meaning = NativeResolver().resolve(book)
    starts = [book.text.index(words) for words in ("“It rains", "“It does")]
    pairs = [TurnPair(start, "", one) for start, one in zip(starts, (False, True), strict=True)]
    taught = lesson(NovelTurns("n", tuple(pairs)), ground, meaning)
    assert taught.true.tolist() == [False, True]
    parted, joined = (dict(zip(FEATURES, row, strict=True)) for row in taught.rows.tolist())
    assert (parted["two meant, names"], joined["two meant, names"]) == (1.0, 0.0)
    assert joined["one meant"] > 0.5
    assert lesson(NovelTurns("n", ()), ground, meaning).rows.shape == (0, len(FEATURES))
