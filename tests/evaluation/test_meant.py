"""Excerpts in which readers said who is meant, and how a resolver does in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from coref.names.certainty import MentionSort
from coref.types import Annotations, EntityCategory, Mention, MentionKind
from evaluation.coref.meant_places import MeantScore, score_meant
from evaluation.corpus.loading import novels
from evaluation.corpus.meant import MeantExcerpt, MeantNovel, meant_novels
from evaluation.corpus.types import SPLITS
from evaluation.datasets.shelf import open_book
from service.cli.app import run
from tests.evaluation.test_corpus import RESERVED

TEXT = (
    "Before it.\n\nTom saw Ann. He  smiled.[1] “I know you, [Illustration: a hat] Tom,” she said. A man came."
)
EXCERPT = MeantExcerpt(
    chapter=0,
    start=12,
    sentences=("Tom saw Ann .", "He smiled .", "“ I know you , Tom , ” she said .", "A man came ."),
    speech="0000" + "000" + "21111112000" + "0000",
    people={"t": "Tom, a boy", "a": "Ann, his sister"},
    places=(
        *((0, 1, "t"), (2, 3, "a"), (4, 5, "t"), (8, 9, "a"), (10, 11, "t"), (12, 13, "t"), (15, 16, "a")),
        (18, 20, None),
    ),
)
NOVEL = MeantNovel("1_home", "dev", (EXCERPT,))
WHOLE = list(meant_novels())


def annotated(*found: str | None) -> Annotations:
    """Return annotations in which the places mean these characters."""
    mentions = [
        Mention(span, MentionKind.PROPER, who, span.of(TEXT), EntityCategory.PERSON)
        for span, who in zip(EXCERPT.spans(TEXT), found, strict=True)
    ]
    return Annotations(resolver="by hand", characters=(), mentions=tuple(mentions), quotes=())


def test_places_are_where_the_words_stand_in_the_text() -> None:
    found = [span.of(TEXT) for span in EXCERPT.spans(TEXT)]
    assert found == ["Tom", "Ann", "He", "I", "you", "Tom", "she", "A man"]
    with pytest.raises(ValueError, match=r"“smiled” does not follow “Tom saw Ann \. He”"):
        EXCERPT.spans(TEXT.replace("smiled", "grinned"))


def test_an_excerpt_is_a_document() -> None:
    document = EXCERPT.document
    assert document.sentences == ((0, 4), (4, 7), (7, 18), (18, 22))
    assert [document.words[slice(*span)] for span in EXCERPT.meant][-1] == ("A", "man")
    assert [int(state) for state in document.speech[7:15]] == [2, 1, 1, 1, 1, 1, 1, 2]


def test_a_place_is_right_if_person_and_character_belong_to_each_other() -> None:
    scores = score_meant(NOVEL, TEXT, annotated("T", "A", "A", "A", "T", "T", None, "T"))
    assert scores[MentionSort.NAME] == MeantScore(places=3, right=3)
    assert scores[MentionSort.THIRD] == MeantScore(places=2, mixed=1, lost=1)
    assert scores[MentionSort.FIRST_QUOTED] == MeantScore(places=1, right=1)
    assert scores[MentionSort.SECOND] == MeantScore(places=1, right=1)
    assert scores[MentionSort.NOUN] == MeantScore(others=1, taken=1)


def test_somebody_without_a_character_is_counted_apart_and_two_characters_are_a_split() -> None:
    scores = score_meant(NOVEL, TEXT, annotated("T", None, "U", None, "U", "T", None, None))
    assert scores[MentionSort.NAME] == MeantScore(places=2, right=2, others=1)
    assert scores[MentionSort.THIRD] == MeantScore(places=1, split=1, others=1)


def test_every_excerpt_is_whole() -> None:
    assert {novel.split for novel in WHOLE} == {"train", "dev"} < set(SPLITS)
    assert len({novel.novel for novel in WHOLE}) == len(WHOLE)
    for novel in WHOLE:
        for excerpt in novel.excerpts:
            assert len(excerpt.document.words) == len(excerpt.speech), novel.novel
            keys = {who for _, _, who in excerpt.places if who is not None}
            assert keys == set(excerpt.people), novel.novel
            assert len(excerpt.meant) == len(excerpt.places), novel.novel
            assert all(0 <= start < end <= len(excerpt.words) for start, end, _ in excerpt.places)


def test_no_title_is_reserved_or_for_measuring_only() -> None:
    read = {novel.novel.partition("_")[2] for novel in WHOLE}
    assert not read & {title.casefold().replace(" ", "_") for title in RESERVED}
    assert not {novel.novel for novel in WHOLE} & {novel.novel for novel in novels("test")}


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "1_home.txt"
    path.write_text(TEXT, "utf-8")
    start = open_book(path).text.index("Tom")
    novel = replace(NOVEL, excerpts=(replace(EXCERPT, start=start),))
    monkeypatch.setattr("evaluation.corpus.meant.meant_novels", lambda _: iter([novel]))
    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")
    command = ["--data-dir", str(tmp_path / "data"), "evaluate", "meant", "--novels", str(tmp_path)]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert "1_home" in shown
    assert MentionSort.THIRD in shown
    assert run([*command, "--only", "Bleak House"]) == 1
    assert "chosen by --only is used here" in capsys.readouterr().err
