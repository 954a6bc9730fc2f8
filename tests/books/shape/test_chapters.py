"""Turn blocks into chapters, for every way that books mark them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from books.shape.body.blocks import blocks_of
from books.shape.headings.chapters import divide
from books.shape.headings.division import Divided
from books.source import Anchor, Block, Role
from books.types import ChaptersBy, Span

PROSE = "\n\n".join(
    [
        "It rained on the harbour all that morning, and the boats stayed in. " * 6,
        "“Will it clear?” said Tom, and nobody at the window answered him, for nobody knew. " * 6,
        "At noon the tide turned, and with it the wind, and the men went down to look at the ropes. " * 6,
    ]
)
SCENE = "He went up the hill with the letter in his hand and did not look back at the water. " * 4
PROSE_ZH = "\n".join(["　　雨下了整整一个早晨，船都停在港口里，没有人出海，也没有人说话。" * 8] * 4)


def plain(*parts: str, gap: str = "\n\n") -> list[Block]:
    text = gap.join(parts)
    return blocks_of(text, Span(0, len(text)))


def marked(*parts: tuple[str, int]) -> list[Block]:
    """Return paragraphs (level 0) and headings with a level, as a reader of markup does."""
    text = "\n\n".join(part for part, _ in parts)
    blocks, at = [], 0
    for part, level in parts:
        role = Role.HEADING if level else Role.TEXT
        blocks.append(Block(text, Span(at, at + len(part.rstrip())), role, level))
        at += len(part) + 2
    return blocks


def titles(divided: Divided) -> list[str]:
    return [division.title for division in divided.divisions]


def sections(headings: Sequence[str], prose: str = PROSE) -> list[str]:
    return [part for heading in headings for part in (heading, prose)]


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (["CHAPTER I", "CHAPTER II", "CHAPTER III"], None),
        (["Chapter One", "Chapter Two", "Chapter Three"], None),
        (["Chapter the First", "Chapter the Second", "Chapter the Last"], None),
        (["STAVE ONE", "STAVE TWO", "STAVE THREE"], None),
        (["Letter I", "Letter II", "Letter III"], None),
        (
            ["_One_\n\nDREAMS", "_Two_\n\nTHE SCHOOL", "_Three_\n\nTOWN"],
            ["One. DREAMS", "Two. THE SCHOOL", "Three. TOWN"],
        ),
        (["I.—The Night", "II.—The Day", "III.—The Quay"], None),
        (["1. The Tide", "2. The Quay", "3. The Boat"], None),
        (["01 My Early Home", "02 The Hunt", "03 My Breaking In"], None),
        (
            ["I\n\nTHE MAN IN THE ROAD", "II\n\nA LIGHT", "III\n\nTHE END OF IT"],
            ["I. THE MAN IN THE ROAD", "II. A LIGHT", "III. THE END OF IT"],
        ),
        (["[ 1 ]", "[ 2 ]", "[ 3 ]"], ["1", "2", "3"]),
        (["i", "ii", "iii"], None),
        (["1", "2", "3", "4"], None),
        (
            ["CHAPTER I\n\nI MEET THE CAPTAIN", "CHAPTER II\n\nI GO ABOARD"],
            ["CHAPTER I. I MEET THE CAPTAIN", "CHAPTER II. I GO ABOARD"],
        ),
        (
            [
                "CHAPTER I\n\nIN WHICH MR. HAND GOES OUT\nAND COMES HOME WET",
                "CHAPTER II\n\nSHOWING WHAT THE TIDE BROUGHT",
            ],
            [
                "CHAPTER I. IN WHICH MR. HAND GOES OUT AND COMES HOME WET",
                "CHAPTER II. SHOWING WHAT THE TIDE BROUGHT",
            ],
        ),
        (["CHAPTER I.\nThe Tide", "CHAPTER II.\nThe Quay"], ["CHAPTER I. The Tide", "CHAPTER II. The Quay"]),
        (["ADVENTURE I. THE BELL", "ADVENTURE II. THE ROPE", "III. THE ADVENTURE OF THE BOAT"], None),
        (["Prologue", "1", "2", "3", "Epilogue"], None),
        (["PREFACE", "CHAPTER I", "CHAPTER II", "NOTES"], None),
        (["THE FIRST BOOK", "THE SECOND BOOK"], None),
    ],
)
def test_headings_in_order_open_chapters(headings: list[str], expected: list[str] | None) -> None:
    divided = divide(plain(*sections(headings)))
    assert titles(divided) == (expected or [heading.strip("_") for heading in headings])
    assert divided.by is ChaptersBy.HEADINGS
    assert not divided.warnings


def test_numbers_start_again_in_each_part() -> None:
    parts = ["BOOK ONE\n\nI", "II", "III", "BOOK TWO\n\nI", "II"]
    found = titles(divide(plain(*sections(parts))))
    assert found == ["BOOK ONE, I", "BOOK ONE, II", "BOOK ONE, III", "BOOK TWO, I", "BOOK TWO, II"]


def test_a_dedication_before_parts_takes_no_chapters() -> None:
    parts = ["DEDICATION\n\nFor my mother.\n\nPART ONE\n\n1", "2", "PART TWO\n\n1", "2"]
    found = titles(divide(plain(*sections(parts))))
    assert found == ["DEDICATION", "PART ONE, 1", "PART ONE, 2", "PART TWO, 1", "PART TWO, 2"]


@pytest.mark.parametrize("named", ["DEDICATION", "PREFACE", "Prologue"])
def test_a_short_part_before_numerals_does_not_take_them(named: str) -> None:
    found = titles(divide(plain(*sections([f"{named}\n\nFor my mother, who kept the lamp.\n\n1", "2", "3"]))))
    assert found == [named, "1", "2", "3"]


def test_parts_within_parts_and_a_part_without_chapters() -> None:
    parts = [
        "FIRST PERIOD\n\nTHE LOSS\n\nCHAPTER I", "CHAPTER II",
        "SECOND PERIOD\n\nFIRST NARRATIVE\n\nCHAPTER I", "CHAPTER II", "SECOND NARRATIVE", "EPILOGUE",
    ]  # fmt: skip
    assert titles(divide(plain(*sections(parts)))) == [
        "FIRST PERIOD. THE LOSS, CHAPTER I",
        "FIRST PERIOD. THE LOSS, CHAPTER II",
        "SECOND PERIOD, FIRST NARRATIVE, CHAPTER I",
        "SECOND PERIOD, FIRST NARRATIVE, CHAPTER II",
        "SECOND PERIOD, SECOND NARRATIVE",
        "EPILOGUE",
    ]


def test_a_prologue_with_sections_of_its_own_is_one_chapter() -> None:
    headings = [
        "PROLOGUE\n\nI",
        "II",
        "III",
        "I\n\nOLD FRIENDS",
        "II\n\nA FLIGHT",
        "III\n\nFOG",
        "IV\n\nRAIN",
    ]
    found = titles(divide(plain(*sections(headings))))
    assert found == ["PROLOGUE", "I. OLD FRIENDS", "II. A FLIGHT", "III. FOG", "IV. RAIN"]


def test_a_prologue_and_the_chapters_that_count_on_from_it() -> None:
    found = titles(divide(plain(*sections(["PROLOGUE\n\nI", "II", "III"]))))
    assert found == ["PROLOGUE, I", "PROLOGUE, II", "PROLOGUE, III"]


def test_sections_within_chapters_are_no_chapters() -> None:
    parts = [p for n in ("I", "II", "III") for p in (f"CHAPTER {n}", "I", SCENE, "II", SCENE, "III", PROSE)]
    assert titles(divide(plain(*parts))) == ["CHAPTER I", "CHAPTER II", "CHAPTER III"]


def test_a_tale_within_the_tale_does_not_break_the_count() -> None:
    inserted = sections(["I", "II", "III", "IV"], SCENE)
    parts = [*sections(["I", "II", "III"]), *inserted, *sections(["IV", "V", "VI"])]
    divided = divide(plain(*parts))
    assert titles(divided) == ["I", "II", "III", "IV", "V", "VI"]
    assert not divided.warnings


def test_a_poem_in_numbered_verses_makes_no_chapters() -> None:
    verses = sections(["I.", "II.", "III.", "IV."], "The tide goes out\nThe tide comes in")
    assert divide(plain(PROSE, PROSE, *verses, PROSE, PROSE)).by is ChaptersBy.NONE


@pytest.mark.parametrize("gap", ["\n\n", "\n"])
@pytest.mark.parametrize("front", ["", "To my mother, who taught me the names of the boats. " * 3])
def test_a_table_of_contents_does_not_double_the_chapters(gap: str, front: str) -> None:
    headings = [
        f"CHAPTER {n}. The {w}"
        for n, w in zip(["I", "II", "III", "IV"], ["Tide", "Quay", "Boat", "Bell"], strict=True)
    ]
    parts = ["THE QUAY", "CONTENTS", gap.join(headings), *([front] if front else []), *sections(headings)]
    divided = divide(plain(*parts))
    assert titles(divided) == headings
    assert divided.divisions[0].first >= 3


@pytest.mark.parametrize("columns", ["CHAPTER            PAGE\n\n", ""])
def test_contents_end_where_the_text_begins_though_it_is_printed_otherwise(columns: str) -> None:
    """The contents have named columns, numerals in the list, words over the chapters, and short dialogue."""
    listed = "  I. THE RAIN          1\n II. THE BELL         17\nIII. THE LAMP         33"
    talk = ["“Will it clear?” said Tom.", SCENE, "“No,” said she."] * 3
    body = [
        part
        for n, t in enumerate(("RAIN", "BELL", "LAMP"), 1)
        for part in (f"CHAPTER {'I' * n}.", f"THE {t}", *talk)
    ]
    preface = ["PREFACE", "The author begs leave to say that this book was written in some haste."]
    blocks = plain("CONTENTS", columns + listed, *preface, *body, "UPDATES", SCENE * 20)
    divided = divide(blocks)
    found = [d for d in divided.divisions if d.title.startswith("CHAPTER")]
    assert [d.title for d in found] == [
        "CHAPTER I. THE RAIN",
        "CHAPTER II. THE BELL",
        "CHAPTER III. THE LAMP",
    ]
    assert titles(divided)[0] in ("PREFACE", found[0].title)


def test_a_title_is_what_is_printed_where_the_contents_shorten_it() -> None:
    blocks = marked(*[part for n in (1, 2, 3) for part in ((f"CHAPTER {n}\nThe Tide", 2), (PROSE, 0))])
    anchors = [Anchor(f"Chapter {n}", blocks[2 * n - 2].span.start) for n in (1, 2, 3)]
    divided = divide(blocks, anchors)
    assert divided.by is ChaptersBy.CONTENTS
    assert titles(divided) == [f"CHAPTER {n} The Tide" for n in (1, 2, 3)]


def test_the_number_is_what_is_printed_where_the_contents_leave_it_out() -> None:
    numbers, prose = ("I", "V", "VI"), PROSE.replace("\n\n", " ")
    blocks = marked(*[part for n in numbers for part in ((f"CHAPTER {n}", 2), ("Rain", 2), (prose, 0))])
    anchors = anchored(blocks, *(("Some weather", 3 * at, 0) for at in range(3)))
    assert titles(divide(blocks, anchors)) == [f"CHAPTER {n}. Rain" for n in numbers]


def test_a_parts_heading_ends_where_its_first_chapters_begins() -> None:
    parts = [
        (("Part I", 2), ("I", 3), ("The Tide", 0), (PROSE, 0), ("II", 3), ("The Ebb", 0), (PROSE, 0))
    ] * 2
    blocks = marked(*[block for part in parts for block in part])
    anchors = [
        Anchor(title, blocks[at + 7 * part].span.start, depth)
        for part in (0, 1)
        for at, title, depth in (
            (0, f"Part {'I' * (part + 1)}", 0),
            (1, "I: The Tide", 1),
            (4, "II: The Ebb", 1),
        )
    ]
    assert titles(divide(blocks, anchors)) == [
        "Part I, I: The Tide", "Part I, II: The Ebb", "Part II, I: The Tide", "Part II, II: The Ebb",
    ]  # fmt: skip


def test_the_first_chapter_is_no_entry_of_contents_that_were_set_apart() -> None:
    first = [("Contents", 2)]
    chapters = [part for n in (1, 2, 3) for part in ((f"CHAPTER {n}\nThe Tide", 2), (PROSE, 0))]
    assert len(divide(marked(*first, *chapters)).divisions) == 3


def test_a_title_page_with_another_space_is_no_story() -> None:
    stories = "\n\n\n\n".join(
        f"{title}\n\n{PROSE}\n\n{PROSE}" for title in ("THE RAIN", "A BELL IN WINTER", "HOME")
    )
    blocks = plain("THE QUAY", "Stories by Ann Hand", "\n" + stories)
    assert titles(divide(blocks)) == ["THE RAIN", "A BELL IN WINTER", "HOME"]


def test_contents_of_two_volumes_do_not_double_the_chapters() -> None:
    volumes = [[f"VOLUME {v}", *(f"CHAPTER {n}" for n in ("I", "II", "III"))] for v in ("I", "II")]
    listed = [line for volume in volumes for line in volume]
    story = [p for v, *chapters in volumes for p in (v, *sections(chapters))]
    found = titles(divide(plain("CONTENTS", *listed, *story)))
    assert found == [f"VOLUME {v}, CHAPTER {n}" for v in ("I", "II") for n in ("I", "II", "III")]


def test_running_heads_do_not_multiply_chapters() -> None:
    page = [SCENE * 3, "CHAPTER I", SCENE * 3, "THE TIDE", SCENE * 3, "CHAPTER I", SCENE * 3]
    again = [SCENE * 3, "CHAPTER II", SCENE * 3, "THE TIDE", SCENE * 3, "CHAPTER II", SCENE * 3]
    found = titles(divide(plain("CHAPTER I", *page, "CHAPTER II", *again, "CHAPTER III", *page[:1])))
    assert found == ["CHAPTER I", "CHAPTER II", "CHAPTER III"]


def test_a_missing_number_is_told() -> None:
    divided = divide(plain(*sections(["Chapter 11", "Chapter 12", "Chapter 14", "Chapter 15"])))
    assert len(divided.divisions) == 4
    assert divided.warnings == ("Chapters 12 and 14 were found, but no 13.",)


def test_a_misprinted_number_is_believed_in_its_place() -> None:
    divided = divide(plain(*sections(["CHAPTER I", "CHAPTER II", "CHAPTER XIII", "CHAPTER IV"])))
    assert titles(divided) == ["CHAPTER I", "CHAPTER II", "CHAPTER XIII", "CHAPTER IV"]


def test_a_heading_with_prose_on_the_next_line_is_parted_from_it() -> None:
    text = "".join(f"CHAPTER {n}\n{SCENE.strip()}\n{SCENE.strip()}\n\n" for n in ("I", "II", "III"))
    starts = [text.index(f"CHAPTER {n}\n") for n in ("I", "II", "III")]
    ends = [start - 2 for start in [*starts[1:], len(text)]]
    blocks = [Block(text, Span(start, end)) for start, end in zip(starts, ends, strict=True)]
    divided = divide(blocks)
    assert titles(divided) == ["CHAPTER I", "CHAPTER II", "CHAPTER III"]
    assert divided.blocks
    assert [divided.blocks[d.first].text for d in divided.divisions] == titles(divided)
    assert all(divided.blocks[d.body].text.startswith("He went up") for d in divided.divisions)


def test_a_line_under_the_first_paragraph_is_not_the_title() -> None:
    entry = "THE BARONETS OF THE QUAY"
    text = "\n\n".join(f"CHAPTER {n}\n{SCENE.strip()}\n\n{entry}\n\n{SCENE.strip()}" for n in ("I", "II"))
    blocks = [Block(text, Span(*part.span())) for part in re.finditer(r"\S.*(?:\n.+)*", text)]
    assert titles(divide(blocks)) == ["CHAPTER I", "CHAPTER II"]


def test_a_heading_on_a_line_within_a_block_opens_a_chapter() -> None:
    lines = "\n".join([SCENE.strip()] * 6)
    text = f"Chapter 1\n{lines}\nChapter 2\n{lines}\nChapter 3\n{lines}"
    divided = divide([Block(text, Span(0, len(text)))])
    assert titles(divided) == ["Chapter 1", "Chapter 2", "Chapter 3"]


def test_prose_on_the_line_of_the_heading_stays_in_its_chapter() -> None:
    parts = [
        f"CHAPTER {n}. It rained on the harbour all that morning, and the boats stayed in."
        for n in ("I", "II")
    ]
    divided = divide(plain(*sections(parts)))
    assert titles(divided) == ["CHAPTER I", "CHAPTER II"]
    assert [d.first == d.body for d in divided.divisions] == [True, True]


def test_titles_without_numbers_are_known_from_the_contents() -> None:
    names = ["The Tide", "An Encounter", "Rain", "What the Bell Said"]
    parts = [
        "THE QUAY",
        "CONTENTS",
        "\n".join(f"{n} .... {p}" for p, n in enumerate(names, 5)),
        *sections(names),
    ]
    assert titles(divide(plain(*parts))) == names


def test_titles_without_numbers_are_known_from_how_they_stand() -> None:
    names = ["THE TIDE", "AN ENCOUNTER", "RAIN", "A PAINFUL CASE"]
    text = "\n\n\n\n\n".join(f"{name}\n\n{PROSE}\n\n{PROSE}" for name in names)
    assert titles(divide(blocks_of(text, Span(0, len(text))))) == names


def test_numbers_of_stanzas_are_no_titles_among_those_of_stories() -> None:
    names = ["THE TIDE", "AN ENCOUNTER", "A PAINFUL CASE"]
    stories = [f"{name}\n\n{PROSE}\n\n{PROSE}" for name in names]
    stanzas = [f"{n}.\n\n{SCENE}" for n in ("I", "II", "III", "IV")]
    text = "\n\n\n".join([*stories, *stanzas]) + f"\n\n{PROSE}"
    assert titles(divide(blocks_of(text, Span(0, len(text))))) == names


def test_a_letterhead_that_comes_again_and_again_is_no_title() -> None:
    text = "\n\n\n\n".join(f"THE HARBOUR HOME\n\n{PROSE}\n\n{PROSE}" for _ in range(5))
    assert divide(blocks_of(text, Span(0, len(text)))).by is ChaptersBy.NONE


def test_letters_open_with_their_place_date_and_greeting() -> None:
    heads = [f"The Harbour,\n\nMarch {n}.\n\nDear Ann:" for n in range(1, 6)]
    assert titles(divide(plain(*sections(heads)))) == [f"March {n}. Dear Ann" for n in range(1, 6)]


def test_dated_entries_open_the_chapters_of_a_diary() -> None:
    dates = ["May 7th", "May 10th", "June 3rd", "July 11th"]
    parts = [
        part for date in dates for part in (f"{date}.--I love the harbour, and I write in it. {SCENE}", PROSE)
    ]
    assert titles(divide(plain(*parts))) == dates


def test_dated_entries_within_chapters_are_no_chapters() -> None:
    entries = [p for n in (3, 4, 5, 6) for p in (f"{n} May. Bistritz.", PROSE)]
    assert titles(divide(plain("CHAPTER I", *entries, "CHAPTER II", *entries))) == ["CHAPTER I", "CHAPTER II"]


def test_chinese_chapters_in_volumes() -> None:
    headings = ["第一卷 春", "第一章 下雨", "第二章 归港", "第二卷 秋", "第三章 大风"]
    lines = [
        "楔子",
        PROSE_ZH,
        headings[0],
        headings[1],
        PROSE_ZH,
        headings[2],
        PROSE_ZH,
        headings[3],
        headings[4],
        PROSE_ZH,
    ]
    found = titles(divide(plain(*lines, "尾声", PROSE_ZH, gap="\n")))
    assert found == [
        "楔子",
        "第一卷 春, 第一章 下雨",
        "第一卷 春, 第二章 归港",
        "第二卷 秋, 第三章 大风",
        "尾声",
    ]


def test_the_last_of_two_chapters_may_be_a_sentence() -> None:
    parts = ["Chapter 1", PROSE, "Chapter 2", "He died that night, and nobody mourned him."]
    assert titles(divide(plain(*parts))) == ["Chapter 1", "Chapter 2"]
    announced = titles(divide(plain(*parts[:3], "Coming in March.")))
    assert "Chapter 2" not in announced


def test_a_short_chinese_epilogue_is_a_chapter() -> None:
    closing = "又是一年大雪。\n渡口来了一个新的船夫，是个胖子，说话结结巴巴。" * 6
    found = titles(divide(plain(*sections(["第一章 下雨", "第二章 归港"], PROSE_ZH), "尾声", closing)))
    assert found == ["第一章 下雨", "第二章 归港", "尾声"]


def test_chinese_chapters_of_an_old_novel() -> None:
    headings = ["第一回　老渔夫归港　小船工守夜", "第二回　春雨连绵　旧友重逢", "第三回　灯塔失火"]
    found = titles(divide(plain(*sections(headings, PROSE_ZH), gap="\n")))
    assert found == [heading.replace("　", " ") for heading in headings]


def test_an_opening_of_some_length_belongs_to_the_story() -> None:
    divided = divide(plain(PROSE, *sections(["I", "II", "III"])))
    assert titles(divided) == ["Opening", "I", "II", "III"]


@pytest.mark.parametrize("closing", ["EPILOGUE", "尾声"])
def test_a_story_in_short_paragraphs_is_kept_before_its_only_heading(closing: str) -> None:
    story = ["“Will it clear?” said Tom to the men at the window."] * 300
    assert titles(divide(plain(*story, closing, PROSE))) == ["Opening", closing]


@pytest.mark.parametrize("heading", ["Chapter VII", "Letter 4", "第七章"])
def test_a_chapter_by_itself_has_its_heading(heading: str) -> None:
    assert titles(divide(plain(heading, PROSE, PROSE_ZH))) == [heading]
    for page in (
        ("by Ann Hand",),
        ("ann@hand.org", "(Draft 3, 12 May 2024)"),
        ("LONDON: JOHN SMITH & CO.", "1890."),
    ):
        assert titles(divide(plain("THE TIDE", *page, heading, PROSE, PROSE_ZH))) == [heading]


@pytest.mark.parametrize(
    "parts",
    [
        (PROSE, PROSE, "Chapter VII", PROSE),
        ("THE TIDE", SCENE, SCENE, "Chapter XII", *[SCENE] * 30),
        ("雨", "雨下了整整一个早晨。", "第三回", *[PROSE_ZH] * 4),
        (*[SCENE] * 20, "LETTER XII", *[SCENE] * 200),
        (f"Chapter 7. {SCENE}", *[SCENE] * 30),
    ],
)
def test_one_heading_inside_a_story_is_not_believed(parts: Sequence[str]) -> None:
    assert divide(plain(*parts)).by is ChaptersBy.NONE


def test_what_advertises_a_chinese_novel_is_no_chapter() -> None:
    blurb = ["雨下了整整一个早晨，船都停在港口里，没有人出海，也没有人说话。" * 4] * 2
    chapters = sections([f"第{number}章 雨" for number in "一二三四五六七八九"], PROSE_ZH)
    assert titles(divide(plain("《雨》", *blurb, *chapters)))[0] == "第一章 雨"


def test_a_preface_is_known_by_its_name() -> None:
    divided = divide(plain(*sections(["PREFACE", "CHAPTER I", "CHAPTER II"])))
    assert [d.named for d in divided.divisions] == ["preface", None, None]


def test_marked_levels_part_and_chapter() -> None:
    front = [("The Quay", 1), ("by Ann Hand", 0)]
    one = [("PART ONE", 2), ("Rain", 3), (PROSE, 0), ("A note", 4), (PROSE, 0), ("Wind", 3), (PROSE, 0)]
    two = [("PART TWO", 2), ("Fog", 3), (PROSE, 0)]
    blocks = marked(*front, *one, *two)
    assert titles(divide(blocks)) == ["PART ONE, Rain", "PART ONE, Wind", "PART TWO, Fog"]


def test_a_marked_number_and_its_marked_title_are_one_heading() -> None:
    one = [("CHAPTER I", 2), ("Rain", 2), (PROSE, 0)]
    two = [("CHAPTER II", 2), ("Wind", 2), (PROSE, 0)]
    blocks = marked(("The Quay", 1), *one, *two)
    divided = divide(blocks)
    assert titles(divided) == ["CHAPTER I. Rain", "CHAPTER II. Wind"]
    assert [(d.first, d.body) for d in divided.divisions] == [(1, 3), (4, 6)]


def test_chapters_in_plain_paragraphs_of_a_marked_up_book() -> None:
    chapters = [part for n in range(1, 5) for part in ((f"Chapter {n}", 0), (PROSE, 0))]
    assert titles(divide(marked(("The Quay", 1), *chapters))) == [f"Chapter {n}" for n in range(1, 5)]


def anchored(blocks: Sequence[Block], *entries: tuple[str, int, int]) -> list[Anchor]:
    return [Anchor(title, blocks[at].span.start, depth) for title, at, depth in entries]


def test_the_sources_own_contents_come_first() -> None:
    blocks = plain(
        "The Quay", "by Ann Hand", "Rain", PROSE.replace("\n\n", " "), "Wind", PROSE.replace("\n\n", " ")
    )
    entries = anchored(blocks, ("The Quay", 0, 0), ("by Ann Hand", 1, 0), ("Rain", 2, 0), ("Wind", 4, 0))
    divided = divide(blocks, entries)
    assert titles(divided) == ["Rain", "Wind"]
    assert divided.by is ChaptersBy.CONTENTS
    assert [(d.first, d.body) for d in divided.divisions] == [(2, 3), (4, 5)]


def test_nested_contents_name_the_part() -> None:
    prose = PROSE.replace("\n\n", " ")
    blocks = plain("PART ONE", "Chapter 1", prose, "Chapter 2", prose, "PART TWO", "Chapter 3", prose)
    entries = anchored(
        blocks,
        ("PART ONE", 0, 0),
        ("Chapter 1", 1, 1),
        ("Chapter 2", 3, 1),
        ("PART TWO", 5, 0),
        ("Chapter 3", 6, 1),
    )
    assert titles(divide(blocks, entries)) == [
        "PART ONE, Chapter 1",
        "PART ONE, Chapter 2",
        "PART TWO, Chapter 3",
    ]


def test_a_part_and_its_first_chapter_at_one_place() -> None:
    prose = PROSE.replace("\n\n", " ")
    blocks = plain("Rain", prose, "Wind", prose)
    entries = anchored(blocks, ("PART ONE", 0, 0), ("Rain", 0, 1), ("Wind", 2, 1))
    assert titles(divide(blocks, entries)) == ["PART ONE, Rain", "PART ONE, Wind"]


@pytest.mark.parametrize(
    "names", [["Section 1", "Section 2", "Section 3"], ["part0001.html", "part0002.html"], ["Start"]]
)
def test_contents_that_list_files_lose_to_headings(names: list[str]) -> None:
    blocks = plain(*sections([f"Chapter {n}" for n in range(1, 9)], PROSE.replace("\n\n", " ")))
    entries = anchored(blocks, *((name, 5 * at, 0) for at, name in enumerate(names)))
    divided = divide(blocks, entries)
    assert titles(divided) == [f"Chapter {n}" for n in range(1, 9)]
    assert divided.by is ChaptersBy.HEADINGS


def test_front_and_back_entries_of_the_contents_stay_divisions() -> None:
    prose = PROSE.replace("\n\n", " ")
    blocks = plain("Copyright", prose, "Chapter 1", prose, "Chapter 2", prose, "About the Author", prose)
    names = ["Copyright", "Chapter 1", "Chapter 2", "About the Author"]
    entries = anchored(blocks, *((name, 2 * at, 0) for at, name in enumerate(names)))
    assert titles(divide(blocks, entries)) == names


def test_a_short_list_at_the_end_does_not_hold_what_follows_it() -> None:
    prose, also = PROSE.replace("\n\n", " "), "Also by Ann Hand"
    blocks = plain(
        "Part 1", "Chapter 1", prose, "Chapter 2", prose, also, "The Mole", "Extract from Rain", prose
    )
    entries = anchored(
        blocks, ("Part 1", 0, 0), ("Chapter 1", 1, 1), ("Chapter 2", 3, 1), (also, 5, 0), ("Rain", 7, 0)
    )
    found = titles(divide(blocks, entries))
    assert found == ["Part 1, Chapter 1", "Part 1, Chapter 2", f"{also}. The Mole", "Part 1, Rain"]


@pytest.mark.parametrize(
    "text",
    [
        "I\n\n" * 50_000,
        "Chapter 1\n" * 50_000,
        "\n".join(f"Chapter {n}" for n in range(50_000)),
        "Chapter 1 " * 200_000,
    ],
    ids=["numerals", "repeated", "counted", "one line"],
)
def test_hostile_text_is_divided_in_linear_time(text: str) -> None:
    blocks = blocks_of(text, Span(0, len(text)))
    divided = divide(blocks)
    assert len(divided.divisions) <= len(blocks)
