"""Nothing from later pages passes the gate."""

from __future__ import annotations

import re
from dataclasses import replace

from books.types import Book
from coref.census import NARRATOR
from coref.decisions.log import replay
from coref.decisions.types import Decision, DecisionKind
from coref.gate import gate
from coref.language.syntax import Parse
from coref.types import Annotations, Doubt
from tests.generation.novel import story


def before(book: Book, words: str) -> int:
    return book.text.index(words)


def test_none_is_the_whole_book(annotations: Annotations) -> None:
    assert gate(annotations, upto=None) is annotations


def test_end_of_book_changes_nothing(book: Book, annotations: Annotations) -> None:
    assert gate(annotations, upto=len(book.text)) == annotations


def test_of_the_grammar_only_whole_sentences_that_were_read(book: Book, annotations: Annotations) -> None:
    starts = [m.start() for m in re.finditer(r"\S+", book.text)]
    ends = [m.end() for m in re.finditer(r"\S+", book.text)]
    size = len(starts)
    parse = Parse(
        starts,
        ends,
        [(0, 6), (6, 9), (9, size)],
        *([["x"] * size] * 2),
        [-1] * size,
        ["y"] * size,
        [True] * size,
    )
    whole = replace(annotations, parse=parse)
    for upto, kept in ((ends[5] - 1, 0), (ends[5], 6), (ends[8] - 1, 6), (ends[8], 9), (ends[-1], size)):
        seen = gate(whole, upto=upto).parse
        assert seen is not None
        assert (len(seen), seen.sentences[-1:]) == (kept, [s for s in parse.sentences if s[1] == kept])
        assert {len(c) for c in (seen.ends, seen.tags, seen.lemmas, seen.heads, seen.events)} == {kept}
    assert gate(annotations, upto=9).parse is None


def test_late_name_is_replaced_by_the_best_so_far(book: Book, annotations: Annotations) -> None:
    seen = gate(annotations, upto=before(book, "Chapter 2"))
    vane = seen.character("vane")
    assert vane is not None
    assert vane.name == "the lamplighter"
    assert "Vane" not in str(seen.characters)
    assert vane.pronouns is None  # nothing so far shows whether it is he or she


def test_counts_are_of_what_was_read(book: Book, annotations: Annotations) -> None:
    seen = gate(annotations, upto=before(book, "Chapter 2"))
    hale = seen.character("hale")
    assert hale is not None
    assert hale.mention_count == 2
    assert [(a.text, a.count) for a in hale.aliases] == [("Mrs. Hale", 1)]
    assert hale.pronouns == "she/her"


def test_nobody_before_their_first_mention(book: Book, annotations: Annotations) -> None:
    seen = gate(annotations, upto=before(book, "I saw"))
    assert [c.id for c in seen.characters] == ["hale"]
    assert gate(annotations, upto=0).characters == ()


def test_a_mention_or_quote_that_is_cut_is_gone(book: Book, annotations: Annotations) -> None:
    seen = gate(annotations, upto=before(book, "I am Edward") + 4)
    assert all(m.span.end <= before(book, "I am Edward") + 4 for m in seen.mentions)
    assert len(seen.quotes) == 1


def test_speaker_unknown_while_only_a_pronoun_has_told_of_them(book: Book, annotations: Annotations) -> None:
    nameless = replace(
        annotations,
        mentions=tuple(m for m in annotations.mentions if m.surface != "the lamplighter"),
    )
    upto = before(book, "Edward Vane")
    seen = gate(nameless, upto=upto)
    assert seen.character("vane") is None
    assert all(m.character != "vane" for m in seen.mentions)


def test_unnamed_narrator_is_the_narrator(book: Book, annotations: Annotations) -> None:
    told = replay(annotations, book, [Decision(1, DecisionKind.NARRATOR, character="vane")])
    told = replace(told, mentions=tuple(m for m in told.mentions if m.surface != "the lamplighter"))
    seen = gate(told, upto=before(book, "Chapter 2"))
    vane = seen.character("vane")
    assert vane is not None
    assert vane.name == NARRATOR
    assert seen.narrator == "vane"


def test_a_name_that_the_reader_chose_stays(book: Book, annotations: Annotations) -> None:
    renamed = replay(annotations, book, [Decision(1, DecisionKind.RENAME, character="vane", name="Lamp Man")])
    seen = gate(renamed, upto=before(book, "Chapter 2"))
    assert [c.name for c in seen.characters if c.id == "vane"] == ["Lamp Man"]


def test_unless_the_book_uses_it_later() -> None:
    book, told = story(
        "# One\n\n[Ann Hale|ann] slept.\n\n# Two\n\n[Mrs. Reed|reed] woke.\n",
        ann="Ann Hale/she",
        reed="Mrs. Reed/she",
    )
    renamed = replay(told, book, [Decision(1, DecisionKind.RENAME, character="ann", name="Mrs. Reed")])
    assert [c.name for c in gate(renamed, upto=book.chapters[0].span.end).characters] == ["Ann Hale"]
    assert {c.name for c in gate(renamed, upto=len(book.text)).characters} == {"Mrs. Reed"}


def test_a_doubt_from_the_whole_book_is_left_without_its_evidence() -> None:
    book, told = story(
        "# One\n\n[Ann Hale|ann] met [Miss Hale|miss] and [Mrs. Reed|reed] and [Miss Reed|ford].\n\n"
        "# Two\n\n[Ann Reed|ann] slept.\n",
        ann="Ann Hale/she",
        miss="Miss Hale/she",
        reed="Mrs. Reed/she",
        ford="Miss Reed/she",
    )
    found = [Doubt("ann", who, 0.4, "taken for one another 28 times") for who in ("miss", "reed")]
    end = book.chapters[0].span.end
    arising = [Doubt("ford", "miss", 0.2, "twice", at=end), Doubt("reed", "miss", 0.2, "twice", at=end + 1)]
    told = replace(told, doubts=(*found, *arising))
    early = gate(told, upto=end)
    assert early.doubts == (
        Doubt("ann", "miss", None, "they share a name"),
        Doubt("ford", "miss", None, "the book seems to use their names for one person", at=end),
    ), "that she is a Reed comes later, and a title is no name"
    assert gate(told, upto=len(book.text)).doubts == told.doubts
