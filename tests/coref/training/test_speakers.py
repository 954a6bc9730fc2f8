"""Learning speaker attribution, from an excerpt made by hand and the novel around it."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from coref.speech.speaker_sequence import NOBODY
from coref.speech.speaker_weights import SpeakerModel
from coref.training import speaker_training
from coref.training.litbank import LitbankDamaged
from coref.training.litbank_quotations import excerpt
from coref.training.speaker_training import SpeakerLesson, learn, lessons, score

NAME = "1_a_story"
EXCERPT = [
    "Tom Hale met Anne Vane .",
    "“ Is it far ? ” said Tom Hale .",
    "“ Not very , ” said Anne .",
    "“ Shall we walk ? ”",
    "“ If you like . ”",
]
NOVEL = (
    "Chapter 1\n\nTom Hale met Anne Vane.\n\n“Is it far?” said Tom Hale.\n\n“Not very,” said Anne.\n\n"
    "“Shall we walk?”\n\n“If you like.”\n\nThey went. Anne Vane smiled, and Tom Hale bowed.\n"
)
MENTIONS = [
    ("T0", 0, 0, 0, 1, "Tom Hale", "tom"),
    ("T1", 0, 3, 0, 4, "Anne Vane", "anne"),
    ("T2", 1, 7, 1, 8, "Tom Hale", "tom"),
    ("T3", 2, 6, 2, 6, "Anne", "anne"),
]
QUOTES = [
    ("Q0", 1, 0, 1, 5, "tom"),
    ("Q1", 2, 0, 2, 4, "anne"),
    ("Q2", 3, 0, 3, 5, "tom"),
    ("Q3", 4, 0, 4, 5, "anne"),
]


@pytest.fixture
def litbank(tmp_path: Path) -> Path:
    for layer in ("coref", "quotations"):
        (tmp_path / layer).mkdir()
        (tmp_path / layer / f"{NAME}_brat.txt").write_text("\n".join(EXCERPT), "utf-8")
    rows = [f"MENTION\t{t}\t{a}\t{b}\t{c}\t{d}\t{text}\tPER\tPROP" for t, a, b, c, d, text, _ in MENTIONS]
    rows += [f"COREF\t{t}\t{entity}" for t, *_, entity in MENTIONS]
    (tmp_path / "coref" / f"{NAME}_brat.ann").write_text("\n".join(rows), "utf-8")
    rows = [f"QUOTE\t{q}\t{a}\t{b}\t{c}\t{d}\ttext" for q, a, b, c, d, _ in QUOTES]
    rows += [f"ATTRIB\t{q}\t{entity}" for q, *_, entity in QUOTES]
    (tmp_path / "quotations" / f"{NAME}_brat.ann").write_text("\n".join(rows), "utf-8")
    (tmp_path / "novels").mkdir()
    (tmp_path / "novels" / f"{NAME}.txt.gz").write_bytes(gzip.compress(NOVEL.encode()))
    return tmp_path


@pytest.fixture
def given(litbank: Path) -> list[SpeakerLesson]:
    return lessons(litbank, litbank / "novels", [NAME])


def test_quotes_are_found_again_in_the_novel(litbank: Path) -> None:
    found = excerpt(litbank, litbank / "novels", NAME)
    said = [(found.book.slice(quote.span), quote.speaker) for quote in found.quotes]
    assert said == [
        ("Is it far", "tom"),
        ("Not very", "anne"),
        ("Shall we walk", "tom"),
        ("If you like", "anne"),
    ]
    assert [found.book.slice(m.span) for m in found.mentions] == ["Tom Hale", "Anne Vane", "Tom Hale", "Anne"]


def test_an_excerpt_of_another_book_is_refused(litbank: Path) -> None:
    (litbank / "novels" / f"{NAME}.txt.gz").write_bytes(gzip.compress(b"Something else."))
    with pytest.raises(LitbankDamaged):
        excerpt(litbank, litbank / "novels", NAME)


def test_a_damaged_row_is_named(litbank: Path) -> None:
    file = litbank / "quotations" / f"{NAME}_brat.ann"
    file.write_text(file.read_text("utf-8") + "\nQUOTE\tQ9\tone\nATTRIB\tQ9\ttom", "utf-8")
    with pytest.raises(LitbankDamaged, match=file.name):
        excerpt(litbank, litbank / "novels", NAME)


def test_every_turn_is_told_once_with_the_resolvers_persons_and_once_with_the_golds(
    given: list[SpeakerLesson],
) -> None:
    assert [len(lesson.asked) for lesson in given] == [4, 4]
    for lesson in given:
        right = [
            {asked.candidates[place] for place in places}
            for asked, places in zip(lesson.asked, lesson.right, strict=True)
            if places is not None
        ]
        assert right[0] == right[2]
        assert right[1] == right[3]
        assert not right[0] & right[1]
        assert NOBODY not in right[0] | right[1]


def test_what_is_learned_is_right_on_what_it_was_learned_from(given: list[SpeakerLesson]) -> None:
    model = learn(given, strictness=0.1)
    assert score(model, given).right == score(model, given).turns == 8
    assert score(SpeakerModel({}), given).sure == 0


def test_the_slope_is_that_of_the_loss(given: list[SpeakerLesson]) -> None:
    examples = speaker_training._Examples.of(given)
    chance = np.random.default_rng(1)
    weights, beliefs = chance.normal(size=(2, len(examples.names)))
    _, slope = speaker_training._loss(examples, weights, beliefs, 0.3)
    for at in chance.choice(len(weights), size=min(25, len(weights)), replace=False):
        step = np.zeros(len(weights))
        step[at] = 1e-5
        ahead, _ = speaker_training._loss(examples, weights + step, beliefs, 0.3)
        behind, _ = speaker_training._loss(examples, weights - step, beliefs, 0.3)
        assert slope[at] == pytest.approx((ahead - behind) / 2e-5, abs=1e-4)
