from __future__ import annotations

import pytest

from generation.writing.answer_parsing import WrittenSentence, keeping, numbers_in, parse, sections
from generation.writing.marker_forms import in_brackets

LEFT, STAYED = "She left.", "He stayed."


@pytest.mark.parametrize(
    "text",
    [
        "She left [3]. He stayed [2, 5].",
        "She left. [3] He stayed. [2, 5]",
        "She left.[3] He stayed.[2][5]",
        "She left [3] . He stayed [2] [5].",
        "She left [passage 3]. He stayed [passages 2 and 5].",
        "She left (passage 3). He stayed (passages 2, 5).",
        "She left 【3】. He stayed [2; 5].",
        "She left [3].\nHe stayed [2, 5].",
        "- She left [3].\n- He stayed [2, 5].",
        "1. She left [3].\n2. He stayed [2, 5].",
        "She left [3]. He [2] stayed [5].",
        "**She left** [3]. He *stayed* [2, 5].",
        "She left [3].\n\nHe stayed [2, 5, 2].",
        "She\nleft [3]. He stayed [2,5].",
        "She left (3). He stayed (2, 5).",
        "She left (3).\nHe stayed (2; 5).",
        "She left [Passage 3, chapter 9]. He stayed [passages 2 and 5; ch. 11].",
        "She left【3†L1】. He stayed 【2†L1-L5】【5†source】.",
        "She left [3†source]. He stayed [2†L4, 5†L7–L9].",
        "She left (chapter 9, [3]). He stayed (ch. 4; [2], [5]).",
        "She left ([3]). He (Chapter 1 [2]) stayed (chapter 9, passage 5).",
        "She left [3 (chapter 9)]. He stayed (passages 2, 5, chapter 4).",
        "She left [chapter 9, passage 3]. He stayed [source 2, Source 5].",
        "She left [web:3]. He stayed [ref. 2; ref. 5].",
        "She left ［3］. He stayed 〔2，5〕.",
        "She left (see [3]). He stayed (sources [2] and [5]).",
    ],
)
def test_markers_are_read_wherever_they_stand(text: str) -> None:
    assert parse(text) == [WrittenSentence(LEFT, (3,)), WrittenSentence(STAYED, (2, 5))]


@pytest.mark.parametrize(
    "text",
    [
        "She left【4:3†source】. He stayed【4:2†Emma 2.txt】【9:5†source】.",
        "[cite_start]She left [cite: 3]. [cite_start]He stayed [cite: 2, 5].",
        "She left.[^3] He stayed [^2^][^5^].\n\n[^3]: “She went.”",
        "She left [[3]](https://a.example/b). He stayed [2](#2)[5](#5).",
        "She left<sup>3</sup>. He stayed<citation>2</citation><citation>5</citation>.",
        "She left [REF]3[/REF]. He stayed \\[2, 5\\].",
        "She left³. He stayed$^{2,5}$.",
        "She left {3}. He stayed [#2, #5].",
    ],
)
def test_markers_of_other_products_are_read(text: str) -> None:
    assert parse(in_brackets(text)) == [WrittenSentence(LEFT, (3,)), WrittenSentence(STAYED, (2, 5))]


@pytest.mark.parametrize(
    "text",
    [
        "She left \ue200cite\ue202turn0search1\ue202turn0news4\ue201. He stayed citeturn0search2turn1view0.",
        '<cite index="3-1">She left.</cite> He <cite index="0-1,2:5">stayed</cite>.',
        "She left :contentReference[oaicite:3]{index=3}. He stayed【turn0search3†L1】.",
        "<co: 0,1>She left</co: 0,1>. <co>He stayed</co: 2>.",
    ],
)
def test_markers_that_mean_no_passage_are_removed(text: str) -> None:
    assert parse(in_brackets(text)) == [WrittenSentence(LEFT), WrittenSentence(STAYED)]


def test_ranges_are_all_their_passages_unless_they_are_absurd() -> None:
    assert numbers_in("[3-5] and [7–8]") == (3, 4, 5, 7, 8)
    assert numbers_in("[1-900]") == ()
    assert numbers_in("[9-2]") == ()


def test_a_cited_chapter_is_no_passage() -> None:
    assert parse("She left [ch. 5]. He stayed [chapter 2] [7].") == [
        WrittenSentence(LEFT),
        WrittenSentence(STAYED, (7,)),
    ]


@pytest.mark.parametrize(
    "text", ["He was born then (1815).", "He (7) left early.", "He had two (2) brothers at home."]
)
def test_numbers_in_round_brackets_are_markers_only_at_the_end(text: str) -> None:
    assert parse(text) == [WrittenSentence(text)]


@pytest.mark.parametrize("text", ["He said [sic] “go” (in 1815).", "A maid (aged 7) sold <Emma> [in 1815]."])
def test_other_brackets_stay(text: str) -> None:
    assert parse(in_brackets(text)) == [WrittenSentence(text)]


def test_headings_open_sections() -> None:
    text = (
        "Before.\n\n## Early life ##\nShe left [1]. He stayed.\n**Motives:**\nShe wants to go [2].\n### "
        "Last\nHe is."
    )
    assert [(s.heading, s.text) for s in parse(text)] == [
        (None, "Before."), ("Early life", LEFT), (None, STAYED), ("Motives", "She wants to go."),
        ("Last", "He is."),
    ]  # fmt: skip
    assert [s.heading for s in sections(text)] == [None, "Early life", "Motives", "Last"]


def test_what_says_nothing_is_no_sentence() -> None:
    assert parse("") == []
    assert parse("[1] [2]. --- ***") == []
    assert parse("She left [1].\n\n[2]") == [WrittenSentence(LEFT, (1,))]


def test_sentences_end_where_the_house_says_they_end() -> None:
    assert [s.text for s in parse("Mr. Darcy left [1]. “Go!” she said [2].")] == [
        "Mr. Darcy left.",
        "“Go!” she said.",
    ]


def test_markers_of_chinese_sentences_stand_in_them() -> None:
    assert keeping("她走了。[3] 他留下了[2，5]。", [2, 3]) == "她走了 [3]。 他留下了 [2]。"
