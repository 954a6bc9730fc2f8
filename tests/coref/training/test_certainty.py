"""Learning the probability of mentions: lessons from a corpus made by hand, and weights from lessons."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from books.reading import read
from books.types import Span
from coref.names.certainty import MentionFacts, MentionSort
from coref.names.certainty import read as read_weights
from coref.native.resolver import NativeResolver
from coref.training.certainty_lessons import CertaintyLesson, lessons, novel_lesson, opening, trimmed
from coref.training.certainty_training import held_out, learn, recalibrated
from coref.training.litbank_quotations import LitbankPlace, excerpt
from coref.types import MentionKind
from service.cli.app import run
from tests.coref.names.test_certainty import HIM

NAME = "1_a_story"
EXCERPT = [
    "Tom Hale met Anne Vane , and he liked her .",
    "“ Is it far ? ” said Tom Hale .",
    "“ Not very , ” said Anne .",
]
NOVEL = (
    "Chapter 1\n\nTom Hale met Anne Vane, and he liked her.\n\n“Is it far?” said Tom Hale.\n\n"
    "“Not very,” said Anne.\n\nThey went. Anne Vane smiled, and Tom Hale bowed.\n\n"
    "Chapter 2\n\nTom Hale came home. Anne Vane was not there.\n"
)
MENTIONS = [
    ("T0", 0, 0, 0, 1, "Tom Hale", "PROP", "tom"),
    ("T1", 0, 3, 0, 4, "Anne Vane", "PROP", "anne"),
    ("T2", 0, 7, 0, 7, "he", "PRON", "tom"),
    ("T3", 0, 9, 0, 9, "her", "PRON", "tom"),  # a mistake, so that something is wrong
    ("T4", 1, 7, 1, 8, "Tom Hale", "PROP", "tom"),
    ("T5", 2, 6, 2, 6, "Anne", "PROP", "anne"),
]


@pytest.fixture(scope="module")
def litbank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("litbank")
    for layer in ("coref", "quotations", "novels"):
        (folder / layer).mkdir()
    (folder / "coref" / f"{NAME}_brat.txt").write_text("\n".join(EXCERPT), "utf-8")
    rows = [f"MENTION\t{t}\t{a}\t{b}\t{c}\t{d}\t{x}\tPER\t{kind}" for t, a, b, c, d, x, kind, _ in MENTIONS]
    rows += [f"COREF\t{t}\t{entity}" for t, *_, entity in MENTIONS]
    (folder / "coref" / f"{NAME}_brat.ann").write_text("\n".join(rows), "utf-8")
    (folder / "quotations" / f"{NAME}_brat.ann").write_text("", "utf-8")
    (folder / "novels" / f"{NAME}.txt.gz").write_bytes(gzip.compress(NOVEL.encode()))
    for part in ("train", "dev"):
        (folder / f"{part}.ids").write_text(f"{NAME}\n", "utf-8")
    return folder


def test_a_mention_is_right_if_it_means_what_its_character_means(litbank: Path) -> None:
    [found] = lessons(NativeResolver(), litbank, litbank / "novels", [NAME])
    told = {(f.sort, right) for f, right in zip(found.facts, found.right, strict=True)}
    assert (MentionSort.NAME, True) in told
    assert (MentionSort.THIRD, True) in told
    assert (MentionSort.THIRD, False) in told, "the gold's mistake"
    assert sum(not right for right in found.right) == 1


def test_an_entity_of_one_excerpt_may_be_somebody_else_in_the_next(litbank: Path) -> None:
    book = excerpt(litbank, litbank / "novels", NAME).book

    def places(*told: tuple[str, str], after: int) -> list[LitbankPlace]:
        starts = [book.text.index(words, after) for words, _ in told]
        return [
            LitbankPlace(Span(start, start + len(words)), entity, MentionKind.NOMINAL, person=True)
            for start, (words, entity) in zip(starts, told, strict=True)
        ]

    first = places(("Tom Hale", "x"), ("Anne Vane", "y"), after=0)
    second = places(("Tom Hale", "y"), ("Anne Vane", "x"), after=book.text.index("Chapter 2"))
    found = novel_lesson(NativeResolver(), "a story", book, [first, second])
    assert (found.name, found.right) == ("a story", (True,) * 4)


def test_a_novel_is_cut_at_the_end_of_a_paragraph(litbank: Path) -> None:
    book = excerpt(litbank, litbank / "novels", NAME).book
    cut = opening(book, words=9)
    assert cut.text.endswith("liked her.")
    assert cut.text == book.text[: len(cut.text)]
    assert [c.span.end for c in cut.chapters] == [len(cut.text)]
    assert cut.paragraphs == book.paragraphs[: len(cut.paragraphs)]
    assert cut.sha256 != book.sha256
    assert opening(book, words=10_000).text == book.text
    assert len(opening(book, words=9, least=60).text) > 60


def test_marks_at_the_edges_are_not_compared() -> None:
    book = read(b"It was Mr. Hale.")
    place = book.text.index("Hale.")
    span = type(book.paragraphs[0].span)(place, place + 5)
    assert trimmed(span, book).of(book.text) == "Hale"


def made(count: int, *, seed: int = 1) -> CertaintyLesson:
    """Mentions of which as many are right as their share says, but half as many with a rival."""
    chance = np.random.default_rng(seed)
    facts: list[MentionFacts] = []
    right: list[bool] = []
    for _ in range(count):
        support, rivals = float(chance.uniform(0.3, 1)), int(chance.integers(0, 2))
        facts.append(replace(HIM, support=support, rivals=rivals))
        right.append(bool(chance.random() < support / (1 + rivals)))
    return CertaintyLesson(f"made {seed}", tuple(facts), tuple(right))


def test_what_is_learnt_is_calibrated() -> None:
    model = learn([made(3_000)], strictness=0.1)
    for rivals in (0, 1):
        found = model.probabilities([replace(HIM, support=0.8, rivals=rivals)])[0]
        assert found == pytest.approx(0.8 / (1 + rivals), abs=0.08)


def test_a_sort_without_examples_borrows_from_the_others() -> None:
    model = learn([made(3_000)])
    many, none = model.probabilities([HIM, replace(HIM, sort=MentionSort.SECOND)])
    assert none == pytest.approx(many, abs=0.1)


def test_scores_are_moved_to_fit_unseen_documents() -> None:
    model = learn([made(2_000)])
    easy = replace(made(2_000, seed=2), right=(True,) * 2_000)
    found = recalibrated(model, [easy]).probabilities([HIM])[0]
    assert found > model.probabilities([HIM])[0]
    you = replace(easy, facts=tuple(replace(f, sort=MentionSort.SECOND) for f in easy.facts))
    moved = recalibrated(model, [made(2_000, seed=4), you])
    assert moved.probabilities([HIM])[0] < 0.1 + model.probabilities([HIM])[0]
    assert moved.probabilities([replace(HIM, sort=MentionSort.SECOND)])[0] > 0.9
    again = made(2_000, seed=3)
    same = recalibrated(model, [again]).probabilities(again.facts)
    assert same.mean() == pytest.approx(np.mean(again.right), abs=0.01)


def test_each_unseen_document_is_held_out_once() -> None:
    model, unseen = learn([made(500)]), [made(200, seed=seed) for seed in (2, 3, 4)]
    held = held_out(model, unseen)
    assert [len(each) for each in held] == [200] * 3
    own = recalibrated(model, unseen[1:]).probabilities(unseen[0].facts)
    assert np.array_equal(held[0], own)


def test_nothing_to_learn_from_is_refused() -> None:
    with pytest.raises(ValueError, match="no mentions"):
        learn([])
    with pytest.raises(ValueError, match="all are right"):
        learn([CertaintyLesson("one", (HIM,), (True,))])


def test_the_command_writes_weights(
    litbank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "certainty.json"
    novels = str(litbank / "novels")
    command = ["train", "certainty", "--litbank", str(litbank), "--novels", novels, "--output", str(to)]
    assert run([*command, "--threads", "1", "--json"]) == 0
    story = json.loads(capsys.readouterr().out)
    assert story["learnt from"] == story["recalibrated on"] == [NAME]
    assert story["mentions"][0] >= 4
    assert read_weights(to.read_text("utf-8")).probabilities([HIM])[0] > 0
    assert run([*command, "--threads", "1", "--without", "1_"]) == 1
    assert "certainty" in capsys.readouterr().err
