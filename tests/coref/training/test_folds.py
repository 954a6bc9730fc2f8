"""Every document is held out once, folds are stable, and a stopped training continues."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coref.native.network import LiteraryNetwork
from coref.training.checkpoint import BEST, CorefEpoch, CorefTrainingState
from coref.training.coref_targets import CorefExample
from coref.training.folds import FoldOther, folds_of, spreads, train_fold
from coref.training.network_training import CorefTrainingPlan
from coref.training.training_data import ground_of
from tests.coref.training.test_fit import ROWS, TEXT

NAMES = ("1_a", "2_b", "3_c", "4_d", "5_e")


@given(st.sets(st.text("abcdef_0123", min_size=1), min_size=2, max_size=40), st.integers(2, 9), st.randoms())
def test_every_document_is_held_out_once(names: set[str], count: int, chance: object) -> None:
    count = min(count, len(names))
    folds = folds_of(names, count)
    assert sorted(name for fold in folds for name in fold.held) == sorted(names)
    assert all(set(fold.held) | set(fold.rest) == names for fold in folds)
    assert not any(set(fold.held) & set(fold.rest) for fold in folds)
    sizes = [len(fold.held) for fold in folds]
    assert max(sizes) - min(sizes) <= 1
    shuffled = sorted(names, key=lambda _: chance.random())  # type: ignore[attr-defined]
    assert folds_of(shuffled, count) == folds


def test_the_folds_are_these_for_ever() -> None:
    assert [fold.held for fold in folds_of(NAMES, 2)] == [("3_c", "5_e", "4_d"), ("2_b", "1_a")]


@pytest.mark.parametrize("count", [1, 6])
def test_more_folds_than_documents_are_none(count: int) -> None:
    with pytest.raises(ValueError, match="5 documents"):
        folds_of(NAMES, count)


def test_spreads_are_of_the_last_epochs() -> None:
    def story(*scores: float) -> CorefTrainingState:
        return CorefTrainingState(
            {}, tuple(CorefEpoch(n, {}, {"score": score}, 1.0) for n, score in enumerate(scores))
        )

    found = spreads([story(0.9, 0.5), story(0.1, 0.7)])["score"]
    assert (found.mean, found.folds) == (0.6, (0.5, 0.7))
    assert found.deviation == pytest.approx(0.1414)
    assert spreads([story(0.5)])["score"].deviation == 0


@pytest.fixture
def litbank(tmp_path: Path) -> Path:
    folder = tmp_path / "litbank"
    (folder / "coref").mkdir(parents=True)
    for name in NAMES:
        (folder / "coref" / f"{name}_brat.txt").write_text(TEXT, encoding="utf-8")
        (folder / "coref" / f"{name}_brat.ann").write_text(ROWS, encoding="utf-8")
    return folder


def test_a_fold_is_trained_on_the_others_and_measured_on_its_own(
    litbank: Path, encoder_folder: Path, tmp_path: Path
) -> None:
    ground = ground_of(encoder_folder, None, device="cpu")
    examples = {example.name: example for example in ground.examples(litbank, NAMES)}
    one, two = folds_of(NAMES, 2)
    seen: list[list[str]] = []
    heard: list[CorefEpoch] = []

    def measure(_: LiteraryNetwork, held: Sequence[CorefExample]) -> dict[str, float]:
        seen.append([example.name for example in held])
        return {"score": 1.0 / len(seen)}

    def run(epochs: int) -> CorefTrainingState:
        plan = CorefTrainingPlan(epochs=epochs, warm_up=1, patience=1)
        folder = tmp_path / "fold"
        return train_fold(one, ground, examples, plan, folder=folder, measure=measure, told=heard.append)

    story = run(3)
    assert len(story.epochs) == 3, "to the end, although nothing gets better"
    assert seen == [list(one.held)] * 3
    assert (tmp_path / "fold" / BEST).is_file()
    assert run(3) == story
    assert len(heard) == 3, "what is finished is not done again"
    with pytest.raises(FoldOther, match="another fold"):
        train_fold(
            two,
            ground,
            examples,
            CorefTrainingPlan(epochs=3),
            folder=tmp_path / "fold",
            measure=measure,
            told=heard.append,
        )
