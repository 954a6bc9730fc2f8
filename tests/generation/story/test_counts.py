"""The writer's counts and the judge's counts must be the same."""

from __future__ import annotations

from books.reading import read
from books.types import Span
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind
from generation.story.cast import cast_of
from generation.story.company import CompanyCounts
from generation.story.counts import Counts
from generation.story.indexed_book import reading_of

RAIN = "\n\n" + "The rain fell on the town all day. " * 40 + "\n\n"
TEXT = f"CHAPTER I\n\nMiss Crane sat down.{RAIN}CHAPTER II\n\nThe companion sat down.{RAIN}CHAPTER III{RAIN}"


def test_a_chapter_counts_that_only_says_what_somebody_is() -> None:
    book = read(TEXT.encode(), name="three.txt")
    said = {"Miss Crane": MentionKind.PROPER, "The companion": MentionKind.NOMINAL}
    places = {words: book.text.index(words) for words in said}
    mentions = tuple(
        Mention(Span(at, at + len(words)), said[words], "crane", words) for words, at in places.items()
    )
    first = places["Miss Crane"]
    crane = Character(
        id="crane",
        name="Miss Crane",
        aliases=(Alias("Miss Crane", 1, first),),
        kind=CharacterKind.PERSON,
        pronouns=None,
        mention_count=2,
        first=first,
    )
    annotations = Annotations("hand", (crane,), mentions, ())
    assert Counts(cast_of(book, annotations), "crane").chapters == [1, 2]
    assert [at + 1 for at in CompanyCounts(reading_of(book, annotations)).presence("crane").chapters] == [
        1,
        2,
    ]
