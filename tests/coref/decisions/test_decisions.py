"""Each decision has its effect, can be undone, and does no harm when it no longer fits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Book, Span
from coref.census import recount
from coref.decisions.log import Replayed, check, decided, replay, replay_with_report
from coref.decisions.types import Decision, DecisionKind
from coref.errors import DecisionInvalid
from coref.types import Annotations, Character, CharacterKind, Doubt, Mention, MentionKind
from tests.coref.conftest import make_book

MERGE, SPLIT, RENAME, HIDE, NARRATOR, SPEAKER, MENTION, DISMISS, UNDO = DecisionKind


def the(annotations: Annotations, character_id: str) -> Character:
    found = annotations.character(character_id)
    assert found is not None
    return found


def test_empty_log_changes_nothing(book: Book, annotations: Annotations) -> None:
    assert replay(annotations, book, []) is annotations


def test_merge_unites_names_and_counts(book: Book, annotations: Annotations) -> None:
    after = replay(annotations, book, [Decision(1, MERGE, character="hale", other="tom")])
    hale = the(after, "hale")
    assert after.character("tom") is None
    assert hale.mention_count == 5
    assert {a.text for a in hale.aliases} == {"Mrs. Hale", "Tom", "Tom Hale"}
    assert hale.name == "Mrs. Hale"


def test_merge_moves_quotes_and_narrator(book: Book, annotations: Annotations) -> None:
    told = replace(annotations, narrator="vane")
    after = replay(told, book, [Decision(1, MERGE, character="tom", other="vane")])
    assert after.quotes[1].speaker == "tom"
    assert after.narrator == "tom"


def test_split_by_alias(book: Book, annotations: Annotations) -> None:
    split = Decision(1, SPLIT, character="vane", name="A Lamplighter", aliases=("The Lamplighter",))
    after = replay(annotations, book, [split])
    new = next(c for c in after.characters if c.name == "A Lamplighter")
    assert new.mention_count == 2
    assert new.id.startswith("a-lamplighter-")
    assert [a.text for a in the(after, "vane").aliases] == ["Edward Vane"]
    assert replay(annotations, book, [split]) == after  # the new id is stable


def test_split_takes_the_display_name_along(book: Book, annotations: Annotations) -> None:
    after = replay(
        annotations, book, [Decision(1, SPLIT, character="vane", name="Vane", aliases=("Edward Vane",))]
    )
    assert the(after, "vane").name == "the lamplighter"


def test_a_name_that_a_reader_gave_stays_after_a_split(book: Book, annotations: Annotations) -> None:
    renamed = Decision(1, RENAME, character="vane", name="EDWARD VANE")
    split = Decision(2, SPLIT, character="vane", name="Ned", aliases=("Edward Vane",))
    assert the(replay(annotations, book, [renamed, split]), "vane").name == "EDWARD VANE"
    everything = replace(split, aliases=("Edward Vane", "the lamplighter"))
    assert the(replay(annotations, book, [renamed, everything]), "vane").name == "EDWARD VANE"


def test_a_split_leaves_a_name_or_the_narrator(book: Book, annotations: Annotations) -> None:
    every = Decision(1, SPLIT, character="vane", name="Ned", aliases=("Edward Vane", "the lamplighter"))

    def split(known: Annotations) -> Annotations:
        return decided(Replayed(known, ()), every, [], resolved=known, book=book).annotations

    with pytest.raises(DecisionInvalid, match="only pronouns"):
        split(annotations)
    assert the(split(replace(annotations, narrator="vane")), "vane").mention_count == 2


def test_split_by_spans(book: Book, annotations: Annotations) -> None:
    quote = annotations.quotes[1].span
    tom = next(m.span for m in annotations.mentions if m.surface == "the lamplighter")
    after = replay(
        annotations, book, [Decision(1, SPLIT, character="vane", name="Other", spans=(tom, quote))]
    )
    other = next(c for c in after.characters if c.name == "Other")
    assert [m.surface for m in after.mentions_of(other.id)] == ["the lamplighter", "I", "Edward Vane"]
    assert after.quotes[1].speaker == other.id


def test_split_by_chapter(book: Book, annotations: Annotations) -> None:
    split = Decision(1, SPLIT, character="vane", name="Vane", spans=(book.chapters[1].span,))
    after = replay(annotations, book, [split])
    vane = next(c for c in after.characters if c.name == "Vane")
    assert [m.surface for m in after.mentions_of("vane")] == ["the lamplighter"]
    assert [m.surface for m in after.mentions_of(vane.id)] == ["I", "Edward Vane", "the lamplighter", "him"]
    assert [q.speaker for q in after.quotes] == ["hale", vane.id]


def test_rename(book: Book, annotations: Annotations) -> None:
    after = replay(annotations, book, [Decision(1, RENAME, character="tom", name="Thomas Hale")])
    tom = the(after, "tom")
    assert tom.name == "Thomas Hale"
    assert ("Thomas Hale", 0) in {(a.text, a.count) for a in tom.aliases}
    assert tom.mention_count == 2


def test_hide_leaves_mentions_unresolved(book: Book, annotations: Annotations) -> None:
    after = replay(annotations, book, [Decision(1, HIDE, character="hale")])
    assert after.character("hale") is None
    assert len(after.mentions) == len(annotations.mentions)
    assert after.quotes[0].speaker is None
    assert after.quotes[1].addressee is None


@pytest.mark.parametrize(("word", "moves"), [("我", True), ("俺", True), ("他", False), ("我们", False)])
def test_a_narrator_says_i_in_chinese(word: str, moves: bool) -> None:
    text = f"秋月来了。{word}走了。"
    book = make_book(text)
    mentions = (
        Mention(Span(0, 2), MentionKind.PROPER, "q", "秋月"),
        Mention(Span(5, 5 + len(word)), MentionKind.PRONOUN, None, word),
    )
    characters = recount([Character("q", "秋月", (), CharacterKind.PERSON, None, 0, 0)], mentions)
    after = replay(Annotations("r", characters, mentions, ()), book, [Decision(1, NARRATOR, character="q")])
    assert [m.character for m in after.mentions] == ["q", "q" if moves else None]


def test_narrator_takes_first_person_outside_quotes(book: Book, annotations: Annotations) -> None:
    after = replay(annotations, book, [Decision(1, NARRATOR, character="tom")])
    assert after.narrator == "tom"
    assert [m.character for m in after.mentions if m.surface == "I"] == ["tom", "vane"]
    assert the(after, "tom").mention_count == 4


def test_undo_and_undoing_the_undo(book: Book, annotations: Annotations) -> None:
    hide = Decision(1, HIDE, character="hale")
    assert replay(annotations, book, [hide, Decision(2, UNDO, undoes=1)]) == annotations
    redone = replay(annotations, book, [hide, Decision(2, UNDO, undoes=1), Decision(3, UNDO, undoes=2)])
    assert redone.character("hale") is None


def test_decisions_that_no_longer_fit_are_skipped_and_named(book: Book, annotations: Annotations) -> None:
    log = [Decision(1, HIDE, character="gone"), Decision(2, RENAME, character="tom", name="Thomas")]
    done = replay_with_report(annotations, book, log)
    assert [s.decision.number for s in done.skipped] == [1]
    assert "gone" in done.skipped[0].reason
    assert the(done.annotations, "tom").name == "Thomas"


def test_mentions_without_surfaces_get_them_from_the_book(book: Book, annotations: Annotations) -> None:
    bare = replace(annotations, mentions=tuple(replace(m, surface="") for m in annotations.mentions))
    log = [Decision(1, NARRATOR, character="tom")]
    assert replay(bare, book, log) == replay(annotations, book, log)


@pytest.mark.parametrize(
    "decision",
    [
        Decision(2, MERGE, character="hale", other="hale"),
        Decision(2, MERGE, character="hale", other="nobody"),
        Decision(2, MERGE, character="hale"),
        Decision(2, SPLIT, character="vane", name="X"),
        Decision(2, SPLIT, character="vane", name="X", aliases=("Tom",)),
        Decision(2, SPLIT, character="vane", aliases=("Edward Vane",)),
        Decision(2, SPLIT, character="vane", name="X", spans=(Span(0, 3),)),
        Decision(2, RENAME, character="tom", name="  "),
        Decision(2, RENAME, character="tom", name="x" * 500),
        Decision(2, HIDE, character=None),
        Decision(2, NARRATOR, character="nobody"),
        Decision(2, NARRATOR, name=" "),
        Decision(2, NARRATOR, character="tom", spans=(Span(0, 9),)),
        Decision(2, MENTION, character="tom", other="vane"),
        Decision(2, MENTION, character="tom", other="vane", aliases=("Tom",)),
        Decision(2, MENTION, character="tom", other="tom", aliases=("Tom",)),
        Decision(2, MENTION, character="tom", other="nobody", aliases=("Tom",)),
        Decision(2, MENTION, character="tom", spans=(Span(0, 3),)),
        Decision(2, MENTION, other="tom", name="x" * 500, aliases=("Tom",)),
        Decision(2, UNDO, undoes=7),
        Decision(2, UNDO),
    ],
)
def test_check_refuses(annotations: Annotations, decision: Decision) -> None:
    with pytest.raises(DecisionInvalid) as refusal:
        check(annotations, decision, [Decision(1, RENAME, character="tom", name="Thomas")])
    assert refusal.value.advice


def test_check_refuses_a_second_undo(annotations: Annotations) -> None:
    log = [Decision(1, HIDE, character="x"), Decision(2, UNDO, undoes=1)]
    with pytest.raises(DecisionInvalid, match="already"):
        check(annotations, Decision(3, UNDO, undoes=1), log)
    check(annotations, Decision(3, UNDO, undoes=2), log)
    with pytest.raises(DecisionInvalid, match="number of the decision"):
        check(annotations, Decision(3, UNDO), log)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Decision(2, MERGE, character="hale"), "`other` is missing"),
        (Decision(2, RENAME, character="tom", name="X"), "Tom was merged into Mrs. Hale by correction 1"),
        (Decision(2, MENTION, character="vane", aliases=("Edward Vane",)), "refer to Edward Vane already"),
        (Decision(2, MENTION, character="hale", aliases=("Edward Vane",)), "somebody else now"),
    ],
)
def test_a_refusal_says_why(book: Book, annotations: Annotations, wanted: Decision, words: str) -> None:
    log = [Decision(1, MERGE, character="hale", other="tom")]
    with pytest.raises(DecisionInvalid, match=words) as refusal:
        decided(replay_with_report(annotations, book, log), wanted, log, resolved=annotations, book=book)
    assert refusal.value.advice != DecisionInvalid.remedy


def test_check_accepts_what_replay_carries_out(annotations: Annotations) -> None:
    check(annotations, Decision(1, MERGE, character="hale", other="tom"), [])
    check(annotations, Decision(1, SPLIT, character="vane", name="X", aliases=("Edward Vane",)), [])


# Speakers


def spoken(annotations: Annotations) -> tuple[Span, ...]:
    return tuple(q.span for q in annotations.quotes)


def test_a_speaker_is_set_and_says_i(book: Book, annotations: Annotations) -> None:
    where = spoken(annotations)[1]
    after = replay(annotations, book, [Decision(1, SPEAKER, character="tom", spans=(where,))])
    assert [(q.speaker, q.addressee, q.confidence) for q in after.quotes] == [
        ("hale", None, 0.9),
        ("tom", "hale", 1.0),
    ]
    assert [m.character for m in after.mentions if m.surface == "I"] == [None, "tom"]
    assert (the(after, "tom").mention_count, the(after, "vane").mention_count) == (3, 4)
    assert after.characters == recount(annotations.characters, after.mentions), "counted like everybody"


def test_nobody_speaks_to_themselves(book: Book, annotations: Annotations) -> None:
    where = spoken(annotations)[1]
    after = replay(annotations, book, [Decision(1, SPEAKER, character="hale", spans=(where,))])
    assert (after.quotes[1].speaker, after.quotes[1].addressee) == ("hale", None)


def test_nobody_known_speaks(book: Book, annotations: Annotations) -> None:
    after = replay(annotations, book, [Decision(1, SPEAKER, spans=spoken(annotations))])
    assert [(q.speaker, q.confidence) for q in after.quotes] == [(None, 0), (None, 0)]
    assert [m.character for m in after.mentions if m.surface == "I"] == [None, None]


def test_a_quote_that_does_not_say_i_changes_no_count(book: Book, annotations: Annotations) -> None:
    after = replay(annotations, book, [Decision(1, SPEAKER, character="tom", spans=spoken(annotations)[:1])])
    assert after.quotes[0].speaker == "tom"
    assert (after.characters, after.mentions) == (annotations.characters, annotations.mentions)


def test_who_was_only_an_i_vanishes_with_all_that_pointed_at_them(
    book: Book, annotations: Annotations
) -> None:
    only = Character("voice", "A Voice", (), CharacterKind.PERSON, None, 0, 0)
    mentions = tuple(
        replace(m, character="voice") if m.surface == "I" and m.character == "vane" else m
        for m in annotations.mentions
    )
    quotes = tuple(replace(q, speaker="voice") for q in annotations.quotes)
    told = replace(
        annotations,
        characters=recount([*annotations.characters, only], mentions),
        mentions=mentions,
        quotes=quotes,
        doubts=(Doubt("voice", "vane", 0.5, "he says so"),),
    )
    after = replay(told, book, [Decision(1, SPEAKER, character="tom", spans=(quotes[1].span,))])
    assert after.character("voice") is None
    assert [q.speaker for q in after.quotes] == [None, "tom"]
    assert after.doubts == ()


def test_a_speaker_follows_merges_and_splits_and_is_taken_back(book: Book, annotations: Annotations) -> None:
    where = spoken(annotations)[:1]
    said = Decision(1, SPEAKER, character="tom", spans=where)
    merged = Decision(2, MERGE, character="vane", other="tom")
    assert replay(annotations, book, [said, merged]).quotes[0].speaker == "vane"
    split = Decision(2, SPLIT, character="tom", name="Another", aliases=("Tom",), spans=where)
    parted = replay(annotations, book, [said, split])
    assert parted.quotes[0].speaker == next(c.id for c in parted.characters if c.name == "Another")
    assert replay(annotations, book, [said, Decision(2, UNDO, undoes=1)]) == annotations


@pytest.mark.parametrize(
    ("spans", "words"),
    [
        ((), "spans of quotes"),
        ((Span(0, 3),), "no quote from 0 to 3"),
        ((Span(38, 52), Span(38, 51)), "There is no quote"),
    ],
)
def test_what_is_no_quote_has_no_speaker(
    annotations: Annotations, spans: tuple[Span, ...], words: str
) -> None:
    with pytest.raises(DecisionInvalid, match=words) as refusal:
        check(annotations, Decision(1, SPEAKER, character="tom", spans=spans), [])
    assert "whole span of each quote" in refusal.value.advice


def test_somebody_unknown_does_not_speak(annotations: Annotations) -> None:
    with pytest.raises(DecisionInvalid, match="no character"):
        check(annotations, Decision(1, SPEAKER, character="gone", spans=spoken(annotations)), [])
