"""What BookSum's sections say, and which chapters they are."""

from __future__ import annotations

import pytest

from evaluation.booksum.novel_layout import layout_of
from evaluation.booksum.section_matching import MatchedBy, SectionMatch, match_section, scheme_of
from evaluation.booksum.sections import Place, read_section


def path(place: Place) -> str:
    return ", ".join(map(str, place))


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("chapter 3", ["chapter 3"]),
        ("chapter xiv", ["chapter 14"]),
        ("Chapter the First", ["chapter 1"]),
        ("chapter twenty-one", ["chapter 21"]),
        ("chapters 1 - 3", ["chapter 1 > chapter 3"]),
        ("chapters_1_to_3", ["chapter 1 > chapter 3"]),
        ("chapters 3 and 5", ["chapter 3", "chapter 5"]),
        ("book 2 chapters 3-5", ["book 2, chapter 3 > book 2, chapter 5"]),
        ("part 1.chapter 1-chapter 5", ["part 1, chapter 1 > part 1, chapter 5"]),
        ("part 3, chapter 1 - part 4, chapter 4", ["part 3, chapter 1 > part 4, chapter 4"]),
        ("act ii-iii.scenes iii-i", ["act 2, scene 3 > act 3, scene 1"]),
        ("act i, scene ii; act ii, scene i", ["act 1, scene 2", "act 2, scene 1"]),
        ("volume 1 book 1.chapter 1", ["volume 1, book 1, chapter 1"]),
        ("prologue and chapters 1-4", ["prologue", "chapter 1 > chapter 4"]),
        ("book 8.chapters 72-finale", ["book 8, chapter 72 > book 8, finale"]),
        ("epilogue.chapter 1-chapter 3", ["epilogue, chapter 1 > epilogue, chapter 3"]),
        ("finale.finale", ["finale"]),
        ("section 1: chapters 1-3", ["chapter 1 > chapter 3"]),
        ("chapters 61-65 (in other than 1 edition)", ["chapter 61 > chapter 65"]),
        ("macbeth: summary act 1 scene 2 | guide", ["act 1, scene 2"]),
        ("the ferryman", []),
    ],
)
def test_sections(text: str, runs: list[str]) -> None:
    found = [
        path(run.first) if run.first == run.last else f"{path(run.first)} > {path(run.last)}"
        for run in read_section(text).runs
    ]
    assert found == runs


def test_a_title_is_left_over() -> None:
    reading = read_section("chapter 3 i have a change")
    assert path(reading.runs[0].first) == "chapter 3"
    assert reading.words == ("i", "have", "a", "change")


THROUGH = ["I. The Lamp", "II. The Sea", "III", "IV. Storm", "V"]
AGAIN = ["Part One, I", "Part One, II", "Part Two, I", "Part Two, II", "Part Two, III", "Epilogue"]
IN_PARTS = [
    "PART I, CHAPTER I",
    "PART I, CHAPTER II",
    "PART II, CHAPTER III",
    "PART II, CHAPTER IV",
    "PART II, CHAPTER V",
]


def matched(section: str, titles: list[str], all_sections: list[str]) -> tuple[int, int, MatchedBy] | str:
    scheme = scheme_of(read_section(each) for each in all_sections)
    found = match_section(read_section(section), layout_of(titles), scheme)
    return (found.first, found.last, found.by) if isinstance(found, SectionMatch) else found


RESTARTING = ["part 1.chapters 1-2", "part 2.chapters 1-2", "part 2.chapter 3"]
CONTINUOUS = ["part 1.chapters 1-2", "part 2.chapters 3-4", "part 2.chapter 5"]


@pytest.mark.parametrize(
    ("section", "titles", "scheme", "expected"),
    [
        ("chapters 2-4", THROUGH, [], (1, 3, MatchedBy.PRINTED)),
        ("part 2.chapter 5", THROUGH, CONTINUOUS, (4, 4, MatchedBy.PRINTED)),
        ("part 2.chapters 1-3", THROUGH, RESTARTING, (2, 4, MatchedBy.ADDED)),
        ("part 2.chapters 1-3", AGAIN, RESTARTING, (2, 4, MatchedBy.PRINTED)),
        ("part 2.chapters 4-5", AGAIN, CONTINUOUS, (3, 4, MatchedBy.COUNTED)),
        ("part 2.chapter 2", IN_PARTS, RESTARTING, (3, 3, MatchedBy.IN_PART)),
        ("part 2", IN_PARTS, CONTINUOUS, (2, 4, MatchedBy.PART)),
        ("epilogue", AGAIN, CONTINUOUS, (5, 5, MatchedBy.NAME)),
        ("part 2.chapter 3-epilogue", AGAIN, RESTARTING, (4, 5, MatchedBy.PRINTED)),
    ],
)
def test_matches(
    section: str, titles: list[str], scheme: list[str], expected: tuple[int, int, MatchedBy]
) -> None:
    assert matched(section, titles, [*scheme, section]) == expected


@pytest.mark.parametrize(
    ("section", "titles", "scheme", "why"),
    [
        ("chapter 6", THROUGH, [], "no chapter 6"),
        ("chapter 2", AGAIN, RESTARTING, "in several parts"),
        ("part 3.chapter 1", THROUGH, [*RESTARTING, "part 3.chapter 1"], "do not make up"),
        ("part 1.chapter 4", IN_PARTS, CONTINUOUS, "in part 2 here, not in part 1"),
        ("part 2.chapter 9", AGAIN, RESTARTING, "no chapter 9"),
        ("prologue", AGAIN, [], "named prologue"),
        ("part 4", IN_PARTS, [], "no part 4"),
        ("chapters 4-2", THROUGH, [], "ends before"),
        ("the ferryman", THROUGH, [], "not understood"),
        ("volume 3.final letters", THROUGH, [], "not understood"),
    ],
)
def test_what_is_unclear_is_not_matched(section: str, titles: list[str], scheme: list[str], why: str) -> None:
    found = matched(section, titles, scheme)
    assert isinstance(found, str)
    assert why in found


def test_stray_parts_make_no_scheme() -> None:
    strays = [*(f"part 1.chapter {n}" for n in range(1, 6)), *(f"part 2.chapter {n}" for n in range(5, 11))]
    assert not scheme_of(map(read_section, strays)).restarts


def test_the_last_chapter_has_a_number() -> None:
    layout = layout_of(["Chapter I", "Chapter II", "Chapter the Last"])
    assert [chapter.number for chapter in layout.chapters] == [1, 2, 3]
