"""Plays: recognised by labels, divided by acts and scenes, each block a speech, direction or heading."""

from __future__ import annotations

import time

import pytest

from books.edits import ChapterEdit, ChapterMark
from books.reading import read
from books.types import Book, ChaptersBy, ParagraphKind, Play, Speech
from tests.books.laws import assert_lawful
from tests.books.shape.play_texts import FOLIO, HAMLET, MANNERS, PYGMALION, play


def _read(text: str) -> Book:
    book = read(text.encode(), name="Play")
    assert_lawful(book)
    return book


def _play(text: str) -> tuple[Book, Play]:
    book = _read(text)
    assert book.play is not None
    return book, book.play


def _said(book: Book, speech: Speech) -> tuple[str, str]:
    return book.slice(speech.label), book.slice(speech.span)


def _of_kind(book: Book, kind: ParagraphKind) -> list[str]:
    return [book.slice(p.span) for p in book.paragraphs if p.kind is kind]


@pytest.mark.parametrize("manner", MANNERS)
def test_labels_are_found_in_every_manner_of_print(manner: str) -> None:
    text, label = MANNERS[manner]
    book, found = _play(text)
    assert book.report.chapters_by == ChaptersBy.ACTS
    assert len(book.chapters) == 2
    assert len(found.speeches) == 24
    assert book.slice(found.speeches[0].label) == label
    assert all(book.slice(s.span).strip("(sitcon'd)[]:. \n") for s in found.speeches)


def test_acts_and_scenes_are_the_chapters_and_the_contents_do_not_double_them() -> None:
    book = _read(HAMLET)
    assert [chapter.title for chapter in book.chapters] == [
        "ACT I, SCENE I. Elsinore. A platform before the Castle",
        "ACT I, SCENE II. Elsinore. A room of state in the Castle",
        "ACT II, SCENE I. A room in Polonius's house",
    ]
    assert "Dramatis" not in "".join(book.slice(p.span) for p in book.paragraphs)


def test_a_speech_runs_to_the_next_label_over_a_direction() -> None:
    book, found = _play(HAMLET)
    label, span = next(_said(book, s) for s in found.speeches if "avouch" in book.slice(s.span))
    assert label == "HORATIO."
    assert span.startswith("Before my God")
    assert span.endswith("where it comes again!")


def test_directions_are_blocks_and_stretches_of_speeches() -> None:
    book, found = _play(HAMLET)
    directions = [book.slice(span) for span in found.directions]
    assert {"[_Aside._]", "[_Re-enter Ghost._]"} <= set(directions)
    assert "Enter Francisco and Barnardo, two sentinels." in _of_kind(book, ParagraphKind.DIRECTION)
    assert "[_Aside._] A little more than kin, and less than kind." in [
        book.slice(s.span) for s in found.speeches
    ]


def test_somebody_called_prologue_between_scenes_speaks() -> None:
    book, found = _play(HAMLET)
    assert "PROLOGUE." in [book.slice(s.label) for s in found.speeches]
    assert not any(c.title.endswith("PROLOGUE") for c in book.chapters)


def test_several_speakers_and_all_keep_their_printed_label() -> None:
    book, found = _play(HAMLET)
    labels = [book.slice(s.label) for s in found.speeches]
    assert {"HORATIO and BARNARDO.", "ALL."} <= set(labels)


def test_labels_that_a_direction_follows() -> None:
    book, found = _play(PYGMALION)
    assert _said(book, found.speeches[0])[0] == "THE DAUGHTER"
    assert "[in the space between the pillars]" in [book.slice(d) for d in found.directions]
    assert [c.title for c in book.chapters] == ["ACT I", "ACT II"]


def test_what_nobody_says_in_prose_is_a_direction() -> None:
    book = _read(PYGMALION)
    directions = _of_kind(book, ParagraphKind.DIRECTION)
    assert "Covent Garden at 11.15 p.m. Torrents of heavy summer rain." in directions
    assert any(said.startswith("He opens his umbrella") for said in directions)


def test_the_second_paragraph_of_a_speech_is_spoken() -> None:
    more = "The truth is that a harbour without a lamp is only a way of losing ships."
    text = play(lambda n, t: f"{n.upper()}. {t}\n\n{more}")
    book, found = _play(text)
    assert len(found.speeches) == 24
    assert all(book.slice(s.span).endswith(more) for s in found.speeches)


def test_an_old_print_with_latin_acts_and_names_cut_short() -> None:
    book, found = _play(FOLIO)
    assert [c.title for c in book.chapters] == ["Actus Primus, Scoena Prima", "Actus Primus, Scena Secunda"]
    labels = [book.slice(s.label) for s in found.speeches]
    assert labels[:4] == ["Barnardo.", "Fran.", "Bar.", "Fran."]
    assert _said(book, found.speeches[1])[1] == "Nay answer me: Stand & vnfold\nyour selfe"
    assert "Enter Horatio and Marcellus." in _of_kind(book, ParagraphKind.DIRECTION)


@pytest.mark.parametrize(
    ("heads", "titles"),
    [
        (("FIRST ACT", "SECOND ACT"), ["FIRST ACT", "SECOND ACT"]),
        (("ACT THE FIRST", "ACT THE LAST"), ["ACT THE FIRST", "ACT THE LAST"]),
        (("Scene 1", "Scene 2"), ["Scene 1", "Scene 2"]),
        (
            ("ACT I. SCENE I.—A street.", "SCENE II.—A hall."),
            ["ACT I, SCENE I.—A street", "ACT I, SCENE II.—A hall"],
        ),
        (("PROLOGUE", "ACT I"), ["PROLOGUE", "ACT I"]),
        (("ACT I", "EPILOGUE"), ["ACT I", "EPILOGUE"]),
        (("INDUCTION\n\nSCENE I. A heath.", "ACT I"), ["INDUCTION, SCENE I. A heath", "ACT I"]),
    ],
)
def test_headings_of_acts(heads: tuple[str, str], titles: list[str]) -> None:
    book, _ = _play(play(lambda n, t: f"{n.upper()}. {t}", heads=heads))
    assert [chapter.title for chapter in book.chapters] == titles


def test_a_play_without_acts_is_one_chapter_that_begins_where_the_scene_is_set() -> None:
    text = play(lambda n, t: f"{n.upper()}. {t}", heads=("They wait.", "They wait still."))
    book, found = _play("CHARACTERS\n\nADA, a keeper\n\nBRUNO, her brother\n\nScene: A harbour.\n\n" + text)
    assert len(book.chapters) == 1
    assert book.slice(book.paragraphs[0].span) == "Scene: A harbour."
    assert len(found.speeches) == 24


def test_a_list_of_persons_in_capitals_speaks_nothing() -> None:
    persons = "PERSONS\n\nADA.\n\nA GHOST of old days.\n\nBRUNO.\n\nSCENE. A harbour.\n\n"
    book, found = _play(persons + play(lambda n, t: f"{n.upper()}.\n{t}", heads=("They wait.", "Still.")))
    assert len(found.speeches) == 24
    assert book.slice(book.paragraphs[0].span) == "SCENE. A harbour."


def test_what_ends_an_act_is_not_spoken() -> None:
    text = play(lambda n, t: f"{n.upper()}. {t}").replace("[Exeunt.]", "END OF THE ACT")
    book, found = _play(text)
    assert "END OF THE ACT" in _of_kind(book, ParagraphKind.DIRECTION)
    assert not any("END" in book.slice(s.span) for s in found.speeches)


def test_notes_after_a_play_are_not_spoken() -> None:
    acts = [f"ACT {number}" for number in range(1, 10)]
    text = play(lambda n, t: f"{n.upper()}. {t}", heads=acts)
    book, found = _play(text + "\n\nNOTES\n\n" + 30 * _PROSE)
    assert found.speeches[-1].span.end < book.text.index("NOTES")


def test_two_plays_in_one_file_keep_all_their_acts() -> None:
    book = _read(HAMLET + "\n\n" + play(lambda n, t: f"{n.upper()}.\n{t}"))
    assert [c.title[:5] for c in book.chapters] == ["ACT I", "ACT I", "ACT I", "ACT I", "ACT I"]
    assert book.chapters[-1].title == "ACT II"


_PROSE = (
    "Mr. Hale went down to the harbour in the morning and stood for a long while looking at the boats. "
    "He thought of the lamp, and of the letter that had come; the sea was grey, and nobody spoke to him.\n\n"
)
_LETTER = "ADA TO BRUNO.\n\nMY DEAR BRUNO,\n\n" + 4 * _PROSE + "Your sister,\n\nADA.\n\n"
_TALK = "“The door is shut,” said Ada.\n\n“Then we must wait,” said Bruno.\n\nYes. He had known it.\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "CHAPTER I\n\n"
        + 40 * _PROSE
        + "CHAPTER II\n\n"
        + MANNERS["inline"][0]
        + "CHAPTER III\n\n"
        + 40 * _PROSE,
        "LETTER I.\n\n" + 12 * _LETTER,
        "CHAPTER I\n\n" + 60 * _TALK,
        "ADA. The door is shut.\n\nBRUNO. Then we wait.\n\n" + 20 * _PROSE,
        "",
    ],
    ids=["a chapter set like a play", "letters", "a novel in dialogue", "an example", "nearly nothing"],
)
def test_what_is_not_a_play(text: str) -> None:
    assert _read(text or "A line.").play is None


def test_dialogues_without_a_stage_are_no_play() -> None:
    text = "\n\n".join(20 * ["SOCRATES: What is it, then?", "MENO: I cannot say what it is."])
    assert _read(text).play is None


def test_a_readers_chapters_leave_nothing_of_the_play_outside_the_story() -> None:
    text = MANNERS["inline"][0]
    sha256 = _read(text).sha256
    edit = ChapterEdit((ChapterMark(text.index("ACT II"), "The end"),), sha256)
    book = read(text.encode(), name="Play", edit=edit)
    assert_lawful(book)
    assert book.play is not None
    assert len(book.play.speeches) == 12


@pytest.mark.parametrize(
    "text",
    [
        "BOB. " * 400_000,
        "ACT I\n\n" + "BOB. yes [it is _( so\n\nANN. [[[[((((( No\n\n" * 5_000,
        "PROLOGUE\n\nBOB.\nyes it is\n\nCHARACTERS\n\n" * 5_000,
    ],
    ids=["one line", "open brackets", "headings"],
)
def test_hostile_plays_take_time_in_proportion(text: str) -> None:
    begun = time.process_time()
    _read(text)
    assert time.process_time() - begun < 10
