"""Single mentions, names and parts of the book are given to somebody else, to somebody new, or to nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Book, Span
from coref.census import recount
from coref.decisions.log import replay
from coref.decisions.types import Decision, DecisionKind
from coref.types import (
    Annotations,
    Character,
    CharacterKind,
    EntityCategory,
    Mention,
    MentionKind,
    Quote,
    Teller,
    Trait,
    TraitKind,
)
from tests.coref.conftest import make_book, mark, person

MENTION, NARRATOR, MERGE, SPLIT, SPEAKER, UNDO = (
    DecisionKind.MENTION,
    DecisionKind.NARRATOR,
    DecisionKind.MERGE,
    DecisionKind.SPLIT,
    DecisionKind.SPEAKER,
    DecisionKind.UNDO,
)


def at(annotations: Annotations, surface: str, nth: int = 0) -> Span:
    return [m.span for m in annotations.mentions if m.surface == surface][nth]


def whose(annotations: Annotations, surface: str) -> list[str | None]:
    return [m.character for m in annotations.mentions if m.surface == surface]


def count(annotations: Annotations, who: str) -> int:
    character = annotations.character(who)
    return character.mention_count if character else 0


def test_one_mention_means_somebody_else(book: Book, annotations: Annotations) -> None:
    wrong = at(annotations, "the lamplighter", 1)
    given = Decision(1, MENTION, character="tom", other="vane", spans=(wrong,))
    after = replay(annotations, book, [given])
    assert whose(after, "the lamplighter") == ["vane", "tom"]
    assert (count(after, "tom"), count(after, "vane")) == (3, 4)
    assert replay(annotations, book, [given, Decision(2, UNDO, undoes=1)]) == annotations


@pytest.mark.parametrize("kind", [MENTION, SPLIT])
def test_what_a_reader_says_of_a_mention_is_certain(
    book: Book, annotations: Annotations, kind: DecisionKind
) -> None:
    unsure = replace(annotations, mentions=tuple(replace(m, confidence=0.3) for m in annotations.mentions))
    wrong = at(annotations, "the lamplighter", 1)
    given = Decision(1, MENTION, character="tom", other="vane", spans=(wrong,))
    split = Decision(1, kind, character="vane", name="Ned Grey", spans=(wrong,))
    after = replay(unsure, book, [given if kind is MENTION else split])
    assert {m.span: m.confidence for m in after.mentions if m.confidence != 0.3} == {wrong: 1.0}
    nobody = replay(unsure, book, [Decision(1, MENTION, other="vane", spans=(wrong,))])
    assert {m.confidence for m in nobody.mentions} == {0.3}


def test_what_is_theirs_already_is_certain_once_a_reader_says_so(
    book: Book, annotations: Annotations
) -> None:
    unsure = replace(annotations, mentions=tuple(replace(m, confidence=0.3) for m in annotations.mentions))
    said = at(annotations, "I", 1)
    speaks = Decision(1, SPEAKER, character="vane", spans=(unsure.quotes[1].span,))
    after = replay(unsure, book, [speaks])
    assert {m.span: m.confidence for m in after.mentions if m.confidence != 0.3} == {said: 1.0}
    assert after.characters == unsure.characters
    told = at(annotations, "I")
    owned = replace(
        unsure, mentions=tuple(replace(m, character="tom") if m.span == told else m for m in unsure.mentions)
    )
    after = replay(owned, book, [Decision(1, NARRATOR, character="tom", spans=(told,))])
    assert {m.span: m.confidence for m in after.mentions if m.confidence != 0.3} == {told: 1.0}


def test_a_quote_that_a_reader_splits_off_is_certain(book: Book, annotations: Annotations) -> None:
    spoken = annotations.quotes[1].span
    after = replay(
        annotations, book, [Decision(1, SPLIT, character="vane", name="Ned Grey", spans=(spoken,))]
    )
    assert [(q.speaker == "vane", q.confidence) for q in after.quotes] == [(False, 0.9), (False, 1.0)]


def test_a_name_means_somebody_else_in_one_chapter(book: Book, annotations: Annotations) -> None:
    given = Decision(1, MENTION, character="tom", other="hale", aliases=("mrs. hale",))
    here = replace(given, spans=(book.chapters[1].span,))
    assert whose(replay(annotations, book, [here]), "Mrs. Hale") == ["hale", "tom"]
    everywhere = replay(annotations, book, [given])
    assert whose(everywhere, "Mrs. Hale") == ["tom", "tom"]
    assert whose(everywhere, "she") == ["hale"]


def test_a_mention_means_nobody_who_is_listed_and_is_given_back(book: Book, annotations: Annotations) -> None:
    last = at(annotations, "Mrs. Hale", 1)
    nobody = Decision(1, MENTION, other="hale", spans=(last,))
    after = replay(annotations, book, [nobody])
    assert whose(after, "Mrs. Hale") == ["hale", None]
    back = replay(annotations, book, [nobody, Decision(2, MENTION, character="hale", spans=(last,))])
    assert back == annotations


def test_somebody_new_is_named_and_can_be_decided_about(book: Book, annotations: Annotations) -> None:
    new = Decision(1, MENTION, other="vane", name="The  Lamplighter", aliases=("the lamplighter",))
    after = replay(annotations, book, [new])
    added = next(c for c in after.characters if c.name == "the Lamplighter")
    assert (added.mention_count, added.first) == (2, at(annotations, "the lamplighter").start)
    assert [(a.text, a.count) for a in added.aliases] == [("the lamplighter", 2)]
    assert [a.text for a in after.characters[0].aliases] == ["Mrs. Hale"]
    merged = replay(annotations, book, [new, Decision(2, MERGE, character=added.id, other="tom")])
    assert count(merged, added.id) == 4


def test_whoever_has_no_mention_left_is_the_other(book: Book, annotations: Annotations) -> None:
    told = replace(annotations, narrator="tom", tellers=(Teller(Span(0, 50), "tom"),))
    names = ("Tom", "Tom Hale")
    after = replay(told, book, [Decision(1, MENTION, character="hale", other="tom", aliases=names)])
    assert after.character("tom") is None
    assert (after.narrator, after.tellers) == ("hale", (Teller(Span(0, 50), "hale"),))


def test_what_is_no_person_becomes_one() -> None:
    text = "Victory ran. She won."
    ship = Mention(Span(0, 7), MentionKind.PROPER, None, "Victory", EntityCategory.VEHICLE, entity=3)
    plain = Annotations("hand/1", (), (ship, mark(text, "She", None, MentionKind.PRONOUN)), ())
    after = replay(plain, make_book(text), [Decision(1, MENTION, name="Victory", spans=(ship.span,))])
    (mare,) = after.characters
    assert mare.name == "Victory"
    assert after.mentions[0] == replace(ship, character=mare.id, entity=None, category=EntityCategory.PERSON)


def test_traits_go_with_their_mention(book: Book, annotations: Annotations) -> None:
    laughed, waved = (book.text.index(word) for word in ("laughed", "waved"))
    traits = tuple(
        Trait(who, TraitKind.DOES, Span(start, start + 5), "verb", other=other)
        for who, start, other in (("tom", waved, None), ("hale", laughed, "vane"))
    )
    told = replace(annotations, traits=traits)
    last = at(annotations, "Mrs. Hale", 1)
    moved = replay(told, book, [Decision(1, MENTION, character="tom", other="hale", spans=(last,))])
    assert [(t.character, t.other) for t in moved.traits] == [("tom", None), ("tom", "vane")]
    gone = replay(told, book, [Decision(1, MENTION, other="hale", spans=(last,))])
    assert [t.character for t in gone.traits] == ["tom"]


# Narrators


def test_a_narrator_without_a_name(book: Book, annotations: Annotations) -> None:
    after = replay(annotations, book, [Decision(1, NARRATOR, name="the narrator")])
    teller = next(c for c in after.characters if c.name == "the narrator")
    assert after.narrator == teller.id
    assert whose(after, "I") == [teller.id, "vane"]
    assert teller.mention_count == 2


def test_nobody_tells_the_book(book: Book, annotations: Annotations) -> None:
    told = replay(annotations, book, [Decision(1, NARRATOR, character="tom")])
    told = replace(told, tellers=(Teller(Span(0, len(book.text)), "tom"),))
    after = replay(told, book, [Decision(1, NARRATOR)])
    assert (after.narrator, after.tellers) == (None, ())
    assert whose(after, "I") == [None, "vane"]
    assert count(after, "tom") == 2


DIARY = """Chapter 1

I met Ann. I laughed.

Chapter 2

I met Ben. “I know,” said Ben.

Chapter 3

I met nobody.
"""


@pytest.fixture
def diary() -> tuple[Book, Annotations]:
    book = make_book(DIARY)
    proper, pronoun = MentionKind.PROPER, MentionKind.PRONOUN
    told = [mark(DIARY, "I", "ben" if nth == 3 else "ann", pronoun, nth=nth) for nth in range(5)]
    named = [mark(DIARY, "Ann", "ann", proper), mark(DIARY, "Ben", "ben", proper)]
    mentions = sorted([*told, *named, mark(DIARY, "Ben", "ben", proper, nth=1)], key=lambda m: m.key)
    start = DIARY.index("“")
    quotes = (Quote(Span(start, start + len("“I know,”")), "ben", None, 0.9),)
    characters = recount([person("ann", "Ann"), person("ben", "Ben")], mentions)
    return book, Annotations("hand/1", characters, tuple(mentions), quotes, narrator="ann")


def test_a_part_is_told_by_somebody_else(diary: tuple[Book, Annotations]) -> None:
    book, annotations = diary
    first, second, third = (chapter.span for chapter in book.chapters)
    given = Decision(1, NARRATOR, character="ben", spans=(first,))
    after = replay(annotations, book, [given])
    assert whose(after, "I") == ["ben", "ben", "ann", "ben", "ann"]
    last = after.mentions[-1].span.end
    assert after.tellers == (Teller(first, "ben"), Teller(Span(first.end, last), "ann"))
    assert after.narrator == "ann"
    both = replay(annotations, book, [given, replace(given, number=2, spans=(third,))])
    assert whose(both, "I") == ["ben", "ben", "ann", "ben", "ben"]
    assert both.tellers == (Teller(first, "ben"), Teller(second, "ann"), Teller(third, "ben"))


def test_parts_beside_one_that_nobody_tells(diary: tuple[Book, Annotations]) -> None:
    book, annotations = diary
    first, second, third = (chapter.span for chapter in book.chapters)
    told = replace(annotations, tellers=(Teller(Span(first.start, third.end), "ann"),))
    after = replay(told, book, [Decision(1, NARRATOR, spans=(second,))])
    assert after.tellers == (Teller(first, "ann"), Teller(third, "ann"))
    assert whose(after, "I") == ["ann", "ann", None, "ben", "ann"]
    new = replay(told, book, [Decision(1, NARRATOR, name="A Stranger", spans=(second,))])
    assert [t.character for t in new.tellers] == ["ann", new.tellers[1].character, "ann"]
    assert new.narrator == "ann"


def test_a_narrator_made_up_by_hand_is_a_person(diary: tuple[Book, Annotations]) -> None:
    book, annotations = diary
    after = replay(annotations, book, [Decision(1, NARRATOR, name="the narrator")])
    made = next(c for c in after.characters if c.name == "the narrator")
    assert isinstance(made, Character)
    assert (made.kind, made.mention_count) == (CharacterKind.PERSON, 4)
