"""What is excluded, and above all what is not: a novel has brackets, numbers and capitals of its own."""

from __future__ import annotations

import time
from textwrap import wrap

import pytest

from books.reading import read
from books.shape.body.blocks import blocks_of
from books.shape.frame.apparatus import set_apart
from books.source import Block, Role
from books.types import Part, Span
from tests.books.laws import assert_lawful

LINE = "It rained on the harbour all that morning, and the boats stayed in until the tide had turned again"
PROSE = f"{LINE}. {LINE}."


def split(*parts: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the kept text and the exclusions with their reasons, of a text with prose around."""
    text = "\n\n".join([PROSE] * 9 + list(parts) + [PROSE])
    kept, cuts = set_apart(blocks_of(text, Span(0, len(text))))
    return [block.text for block in kept[9:-1]], [(cut.span.of(text), cut.reason) for cut in cuts]


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("[Illustration]", "caption"),
        ("[Illustration: The harbour [from the north] by night]", "caption"),
        ("[Illustration: The harbour\n\nby night]", "caption"),
        ("[Illustration: nobody closed this", "caption"),
        ("[_Image of the harbour_]", "caption"),
        ("[Frontispiece: Ann]", "caption"),
        ("[Transcriber's Note: Misprints have been corrected.\n\nAll of them.]", "transcriber's note"),
        ("Transcriber’s Note:\n\nTypographical errors were corrected.", "transcriber's note"),
        (
            "+-----+\n| Transcriber's Note: |\n| spelling is as printed |\n+-----+",
            "transcriber's note",
        ),
        ("[Footnote 1: So the log has it.]", "footnote"),
        ("[Footnote A: So the log\n\nhas it.]", "footnote"),
        ("[*Quay--Where boats are tied.]", "footnote"),
        ("[Note: The next chapters changed places in print.]", "note"),
        ("[Sidenote: It rains]", "sidenote"),
        ("* * *", "scene break"),
        ("-----", "scene break"),
        ("•  •  •", "scene break"),
        ("⁂", "scene break"),
        ("[Pg 12]", "page number"),
        ("{p. 12}", "page number"),
        ("Digitized by Google", "page number"),
    ],
)
def test_apparatus_is_set_apart_whole(block: str, reason: str) -> None:
    kept, cuts = split(block)
    assert kept == []
    assert cuts == [(block, reason)]


@pytest.mark.parametrize(
    "block",
    [
        "[aside]",
        "[He bows.]",
        "[Note the hat,] he wrote, [and the gloves.]",
        "[The rest of the letter is torn off.]",
        "The secret agent [delta] was not the man.",
        "[ 1 ]",
        "[1]",
        "1",
        "12",
        "XII",
        "“...”",
        "“?”",
        "?",
        "THE OLD QUAY",
        "*Never* did she look back.",
        "* A star stood over the quay.",
        "[1] was painted on the boat.",
        "The transcriber sat at his desk and noted all that was said, spelling apart.",
        "Page 12 was missing.",
    ],
)
def test_a_novels_own_are_kept(block: str) -> None:
    assert split(block) == ([block], [])


@pytest.mark.parametrize(
    ("told", "note", "mark"),
    [
        ("She sailed in the Petrel.[1] Nobody saw her.", "[1] A sloop.", "[1]"),
        ("She sailed in the Petrel[A] that day.", "[A] A sloop.", "[A]"),
        ("She sailed in the Petrel,[*] and alone.", "[*]A sloop.", "[*]"),
        ("She sailed in the Petrel.* Nobody saw her.", "* A sloop.", "*"),
        ("She sailed in the Petrel† that day.", "† A sloop.", "†"),
    ],
)
def test_a_footnote_and_its_mark_go_together(told: str, note: str, mark: str) -> None:
    kept, cuts = split(told, note)
    assert kept == [told]
    assert cuts == [(mark, "mark of a footnote"), (note, "footnote")]


def test_notes_that_follow_each_other_are_one_exclusion() -> None:
    kept, cuts = split("The Petrel[1] and the Gull[2] sailed.", "[1] A sloop.", "[2] A brig.")
    assert len(kept) == 1
    assert cuts[-1] == ("[1] A sloop.\n\n[2] A brig.", "footnote")


def test_what_opens_or_ends_a_block_is_taken_off_it_and_what_is_inside_stays_inside() -> None:
    heading, inside = "[Illustration]\nCHAPTER II", "He went [Pg 12] on."
    kept, cuts = split(heading, inside, "He read it.[Footnote: Or would have.]")
    assert kept == ["CHAPTER II", inside, "He read it."]
    assert [said for said, _ in cuts] == ["[Illustration]", "[Pg 12]", "[Footnote: Or would have.]"]


def pages(numbers: list[str], *, broken: bool) -> str:
    parts = []
    for number in numbers:
        sentence = "\n".join(wrap(LINE + (" " + LINE) * 8, 70))
        parts += [sentence if broken else sentence + ".", number]
        if broken:
            parts.append("and after that the boats came home, and the harbour was full.")
    return "\n\n".join([*parts, PROSE])


@pytest.mark.parametrize("form", ["{}", "- {} -", "[{}]", "{} THE OLD QUAY", "Page {}"])
def test_bare_numbers_that_break_sentences_all_through_are_pages(form: str) -> None:
    text = pages([form.format(n) for n in range(3, 23)], broken=True)
    kept, cuts = set_apart(blocks_of(text, Span(0, len(text))))
    assert len(cuts) == 20
    assert {cut.reason for cut in cuts} <= {"page number", "running head"}
    assert not any(block.text.startswith(("-", "[", "P", "1")) for block in kept)


def test_numbers_on_lines_of_their_own_inside_a_paragraph_are_pages_too() -> None:
    text = pages([str(n) for n in range(3, 23)], broken=True).replace("\n\n", "\n")
    _, cuts = set_apart(blocks_of(text, Span(0, len(text))))
    assert [cut.span.of(text) for cut in cuts] == [str(n) for n in range(3, 23)]
    assert_lawful(read(text.encode()))


@pytest.mark.parametrize("numbers", [[str(n) for n in range(1, 21)], [f"[{n}]" for n in range(1, 21)]])
def test_numbers_between_whole_sentences_are_chapters(numbers: list[str]) -> None:
    text = pages(numbers, broken=False)
    kept, cuts = set_apart(blocks_of(text, Span(0, len(text))))
    assert not cuts
    assert sum(block.text in numbers for block in kept) == 20


def test_a_signature_is_no_running_head() -> None:
    letter = "\n".join(wrap(LINE + (". " + LINE) * 8 + ". Yours as ever,", 70))
    text = "\n\n".join([f"{letter}\n\nSALLIE." for _ in range(30)])
    assert set_apart(blocks_of(text, Span(0, len(text))))[1] == []


@pytest.mark.parametrize(
    ("role", "part", "reason"),
    [
        (Role.NOTE, Part.APPARATUS, "note"),
        (Role.CAPTION, Part.APPARATUS, "caption"),
        (Role.ASIDE, Part.APPARATUS, "aside"),
        (Role.PAGE, Part.APPARATUS, "page number"),
        (Role.CONTENTS, Part.FRONT, "contents"),
        (Role.FRONT, Part.FRONT, "front matter"),
        (Role.BACK, Part.BACK, "back matter"),
    ],
)
def test_markup_is_believed(role: Role, part: Part, reason: str) -> None:
    text = f"{PROSE}\n\nMarked."
    first, second = blocks_of(text, Span(0, len(text)))
    kept, (cut,) = set_apart([first, Block(text, second.span, role)])
    assert kept == [first]
    assert (cut.span, cut.part, cut.reason) == (second.span, part, reason)


def test_apparatus_that_would_be_a_third_of_the_text_is_the_text() -> None:
    text = "\n\n".join(["[Illustration: One picture after another, and hardly a word.]"] * 9 + [LINE])
    assert set_apart(blocks_of(text, Span(0, len(text))))[1] == []


def test_nothing_is_set_apart_of_nothing_or_of_notes_alone() -> None:
    assert set_apart([]) == ([], [])
    block = Block("Marked.", Span(0, 7), Role.NOTE)
    assert set_apart([block]) == ([block], [])


def test_the_licence_between_two_books_is_set_apart() -> None:
    between = (
        "*** END OF THE PROJECT GUTENBERG EBOOK X ***",
        "All of it.",
        "*** START OF THE PROJECT GUTENBERG EBOOK Y ***",
    )
    kept, cuts = split(*between)
    assert kept == []
    assert cuts == [("\n\n".join(between), "licence")]


@pytest.mark.parametrize(
    "hostile",
    ["[Illustration " * 100_000, "[" * 300_000, "* a\n\n" * 60_000, "\n7" * 100_000, "A B\n\n" * 60_000],
)
def test_time_grows_with_the_length_only(hostile: str) -> None:
    blocks = blocks_of(hostile, Span(0, len(hostile)))
    began = time.process_time()
    set_apart(blocks)
    assert time.process_time() - began < 5
