"""The offline estimate: its arithmetic, its signs, its training and its weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from evaluation.booookscore.estimate import (
    ANY,
    FILE,
    EstimateUnfit,
    EstimateWeights,
    estimate,
    load,
    rows_of,
    save,
)
from evaluation.booookscore.estimate_examples import FOLDS, examples, fold_of
from evaluation.booookscore.estimate_training import train
from evaluation.booookscore.sentence_signs import SIGNS, signs_of
from evaluation.booookscore.summary_names import names_in
from evaluation.booookscore.touched_sentences import touched
from evaluation.booookscore.types import AnnotatedSummary, AnnotatedSystem, Confusion, ConfusionKind
from evaluation.metrics.logistic import area, fit, predict
from retrieval.registry import make_embedder
from tests.evaluation.booookscore.conftest import MILL

ENTITY = (ConfusionKind.ENTITY_OMISSION,)


def test_the_area_is_the_share_of_pairs_in_order() -> None:
    true = np.array([True, False, True, False])
    assert area(np.array([4.0, 3.0, 2.0, 1.0]), true) == 0.75
    assert area(np.array([1.0, 1.0, 1.0, 1.0]), true) == 0.5
    assert area(np.array([1.0]), np.array([True])) is None


def test_the_regression_is_at_its_optimum() -> None:
    random = np.random.default_rng(0)
    rows = random.normal(size=(400, 3))
    true = random.random(400) < predict(rows, np.array([1.0, -2.0, 0.0, 0.5]))
    weights = fit(rows, true, ridge=2.0)
    # At the optimum the slope is zero: the errors balance the ridge, and the intercept has none.
    errors = predict(rows, weights) - true
    assert rows.T @ errors + 2.0 * weights[:-1] == pytest.approx(np.zeros(3), abs=1e-2)
    assert errors.sum() == pytest.approx(0, abs=1e-2)
    assert weights[0] > 0.3
    assert weights[1] < -1


def test_names_and_whether_they_are_explained() -> None:
    named = names_in(
        [
            "Ada Hale, a miller, meets Ólrun.",
            "Her brother Ben and the surgeon Voss object.",
            "At last Ada leaves with a dog named Rex.",
            "Meanwhile, it rains.",
        ]
    )
    found = [[(sorted(name.words), name.explained) for name in names] for names in named]
    assert found == [
        [(["Ada", "Hale"], True), (["Ólrun"], False)],
        [(["Ben"], True), (["Voss"], True)],
        [(["Ada"], False), (["Rex"], True)],
        [],
    ]


def test_signs_by_hand() -> None:
    text = "Ada inherits a mill, and Voss objects.\n\nShe sells it. In 1920, Voss leaves."
    vectors = np.array([[1, 0], [0.6, 0.8], [1, 0]], np.float32)
    rows = [dict(zip(SIGNS, map(float, row), strict=True)) for row in signs_of(text, vectors)]
    assert [row["place"] for row in rows] == [0, 0.5, 1]
    assert [(row["first"], row["last"], row["begins a paragraph"]) for row in rows] == [
        (1, 0, 1),
        (0, 0, 1),
        (0, 1, 0),
    ]
    assert [row["commas"] for row in rows] == [1, 0, 1]
    assert [row["digits"] for row in rows] == [0, 0, 1]
    assert [(row["names"], row["new names"]) for row in rows] == [(1, 1), (0, 0), (1, 0)]
    assert rows[0]["new and again later"] == 1
    assert rows[2]["rarest name so far"] == pytest.approx(np.log(2))
    assert [row["pronouns"] for row in rows] == [0, 2, 0]
    assert [row["begins with a pronoun"] for row in rows] == [0, 1, 0]
    assert [row["like the one before"] for row in rows] == pytest.approx([0, 0.6, 0.6])
    assert [row["like an earlier one"] for row in rows] == pytest.approx([0, 0, 1])
    assert [row["like the next"] for row in rows] == pytest.approx([0.6, 0.6, 0])
    assert rows[2]["like all before"] == pytest.approx(0.8)


def test_rows_hold_the_sentence_and_the_mean_of_those_before() -> None:
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8], [1, 0]], np.float32)
    rows = rows_of(MILL, vectors)
    assert rows.shape == (4, len(SIGNS) + 4)
    assert rows[:, -2:] == pytest.approx(np.array([[0, 0], [1, 0], [0.5, 0.5], [1.6 / 3, 0.6]]))


def test_a_span_may_touch_several_sentences() -> None:
    whole = Confusion(("Dr. Voss objects to the sale. Ada sells",), "", ENTITY)
    assert [at for at, _ in touched(MILL, [whole])] == [1, 2]
    assert [at for at, _ in touched(MILL, [whole], share=0.9)] == [1]
    assert touched(MILL, [Confusion(("not there",), "", ENTITY)]) == []


def system(name: str, books: int = 12) -> AnnotatedSystem:
    """Summaries in which the sentence about Zed confuses."""
    confusion = Confusion(("Zed demands the ledger of the harbour.",), "Who is Zed?", ENTITY)
    text = "Ada inherits a mill, {}. Zed demands the ledger of the harbour. She sells the mill."
    return AnnotatedSystem(
        name,
        tuple(
            AnnotatedSummary(f"{at}", text.format("a " * at + "big one"), (confusion,)) for at in range(books)
        ),
    )


def test_training_learns_what_is_to_be_learned_and_can_be_kept(tmp_path: Path) -> None:
    embedder = make_embedder("hashing")
    people = AnnotatedSystem(
        "one", (replace(system("one").summaries[0], confusions=(Confusion(("the mill.",), "", ENTITY),)),)
    )
    found = examples([system("one", 30), system("two", 30)], [people], embedder)
    assert (len(found.rows), int(found.confusing.sum()), int(found.by_people.sum())) == (180, 60, 3)
    assert found.people.tolist().count(True) == 1
    weights, figures = train(found, embedder.name, lambda _: None)
    assert weights.outputs == (ANY, "entity omission")
    assert figures.areas[0].pooled == 1.0
    assert figures.areas[0].within == 1.0
    assert figures.unseen.pooled == 1.0
    assert set(figures.unseen.systems) == {"one", "two"}
    assert (figures.people.examples, figures.people.systems) == (1, {"one": figures.people.pooled})
    save(weights, tmp_path / "weights.safetensors")
    again = load(tmp_path / "weights.safetensors")
    text = system("one").summaries[0].text
    (said,) = estimate({"mine": text}, embedder, again)
    assert said == estimate({"mine": text}, embedder, weights)[0]
    assert max(said.sentences, key=lambda s: s.confusing).sentence.startswith("Zed")
    assert said.score == pytest.approx(1 - np.mean([s.confusing for s in said.sentences]))
    assert set(said.sentences[0].kinds) == {"entity omission"}


def test_books_stay_in_one_fold() -> None:
    assert fold_of("yellowface.epub") == fold_of("yellowface.epub")
    assert {fold_of(str(at)) for at in range(50)} == set(range(FOLDS))


def test_weights_of_something_else_are_refused(tmp_path: Path) -> None:
    none = np.zeros(1, np.float32)
    other = EstimateWeights("another", (ANY,), none, none, none, {})
    with pytest.raises(EstimateUnfit, match="made for another"):
        estimate({"mine": MILL}, make_embedder("hashing"), other)
    path = tmp_path / "weights.safetensors"
    save_file({"mean": none}, path, metadata={"manifest": '{"version": 1, "signs": ["taste"]}'})
    with pytest.raises(EstimateUnfit, match="not of this version"):
        load(path)
    save_file({"mean": none}, path)
    with pytest.raises(EstimateUnfit, match="not of this version"):
        load(path)


def test_the_shipped_weights_are_small_and_better_than_chance() -> None:
    assert FILE.stat().st_size < 200_000
    shipped = load()
    assert shipped.embedder == make_embedder().name
    figures = {each["name"]: each for each in shipped.story["figures"]["areas"]}
    assert figures[ANY]["pooled"] > 0.7
    assert figures[ANY]["within"] > 0.65
    assert set(figures) == set(shipped.outputs)
