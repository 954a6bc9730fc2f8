"""The loop learns, follows its recipe, and resumes where it was stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from coref.training.checkpoint import BEST, STATE
from generation.training import training_checkpoint, training_loop
from generation.training.adapter import ready
from generation.training.errors import TrainingDiffers, TrainingDiverged, TrainingTooLarge
from generation.training.training_loop import LoopSetting
from generation.training.types import DataSplit, Precision, Recipe, TrainingExample, TrainingOutcome
from tests.generation.training.conftest import Heard

RECIPE = Recipe(rate=1e-2, batch=2, accumulation=2, epochs=3, precision=Precision.FP32)
SHORT = replace(RECIPE, epochs=2, checkpointing=False)
EXAMPLES: Mapping[DataSplit, Sequence[TrainingExample]] = {
    DataSplit.TRAIN: [TrainingExample((10 + n, 11, 12), (20 + n, 30 + n, 4)) for n in range(7)],
    DataSplit.VALIDATION: [TrainingExample((50, 11), (21, 4))],
    DataSplit.TEST: [TrainingExample((60, 11), (22, 33, 4))],
}
PAD = 5


def model_of(folder: Path, recipe: Recipe = RECIPE) -> Any:
    from transformers import AutoModelForCausalLM

    return ready(AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32), recipe, name="tiny")


def run(
    base: Path,
    folder: Path,
    recipe: Recipe = RECIPE,
    *,
    examples: Mapping[DataSplit, Sequence[TrainingExample]] = EXAMPLES,
    save_every: int = 2,
    told: Any = None,
    **identity: object,
) -> tuple[Any, TrainingOutcome]:
    model = model_of(base, recipe)
    setting = LoopSetting(folder, {"recipe": recipe.rate, **identity}, PAD, save_every)
    return model, training_loop.fit(model, examples, recipe, setting, told=told or Heard())


@pytest.fixture(scope="module")
def usual(tiny_llama: Path, tmp_path_factory: pytest.TempPathFactory) -> TrainingOutcome:
    """The result of the short recipe unchanged."""
    return run(tiny_llama, tmp_path_factory.mktemp("usual"), SHORT)[1]


class Stopped(Heard):
    """Stops the training in the middle of reporting a step."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self._after = after

    def step(self, point: Any, total: int) -> None:
        super().step(point, total)
        if point.step == self._after:
            raise KeyboardInterrupt


def plain(outcome: TrainingOutcome) -> Any:
    """Return the outcome without durations."""
    story = replace(outcome.story, seconds=0.0)
    return story, outcome.test, tuple(replace(point, seconds=0.0) for point in outcome.points)


def assert_same(one: Any, other: Any) -> None:
    mine, theirs = training_checkpoint.trained(one), training_checkpoint.trained(other)
    assert mine.keys() == theirs.keys()
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)


def test_it_learns_and_tells(tiny_llama: Path, tmp_path: Path, heard: Heard) -> None:
    _, outcome = run(tiny_llama, tmp_path, told=heard)
    assert [point.step for point in heard.points] == [1, 2, 3, 4, 5, 6]
    assert [point.epoch for point in heard.points] == [1, 1, 2, 2, 3, 3]
    assert [point.tokens for point in heard.points] == [24, 18] * 3
    assert [point.rate for point in heard.points] == pytest.approx([1e-2 * n / 6 for n in (6, 5, 4, 3, 2, 1)])
    assert heard.losses[-1] < 0.7 * heard.losses[0]
    assert outcome.points == tuple(heard.points)
    assert outcome.story.epochs == tuple(heard.epochs)
    assert outcome.story.epochs[0].loss == pytest.approx(sum(heard.losses[:2]) / 2)
    assert outcome.test is not None


@pytest.mark.parametrize("full", [False, True])
def test_it_goes_on_where_it_was_stopped(tiny_llama: Path, tmp_path: Path, full: bool) -> None:
    precision = Precision.FP32 if full else Precision.BF16
    recipe = replace(RECIPE, full=full, layers=("q_proj", "down_proj"), dropout=0.3, precision=precision)
    whole, wanted = run(tiny_llama, tmp_path / "whole", recipe)
    for after in (3, 5):
        with pytest.raises(KeyboardInterrupt):
            run(tiny_llama, tmp_path / "parts", recipe, told=Stopped(after))
        torch.rand(7)  # random numbers drawn in between must not matter
    heard = Heard()
    rest, outcome = run(tiny_llama, tmp_path / "parts", recipe, told=heard)
    assert [point.step for point in heard.points] == [5, 6], "steps after the last checkpoint are done again"
    assert plain(outcome) == plain(wanted)
    assert_same(rest, whole)
    again = Heard()
    _, outcome = run(tiny_llama, tmp_path / "parts", recipe, told=again)
    assert not again.points, "it was done"
    assert plain(outcome) == plain(wanted)


def test_accumulated_batches_are_one_large_batch(tiny_llama: Path, tmp_path: Path) -> None:
    """Each token of the answers counts the same, however they are divided into batches."""
    uneven = {
        DataSplit.TRAIN: [
            TrainingExample((10, 11), (20, 4)),
            TrainingExample((12, 13), (21, 22, 23, 24, 25, 4)),
        ]
    }
    recipe = replace(RECIPE, dropout=0.0, epochs=2)
    _, one = run(tiny_llama, tmp_path / "1", replace(recipe, batch=1, accumulation=2), examples=uneven)
    _, two = run(tiny_llama, tmp_path / "2", replace(recipe, batch=2, accumulation=1), examples=uneven)
    assert [p.loss for p in one.points] == pytest.approx([p.loss for p in two.points], rel=1e-4)


def test_samples_apart_in_a_row_are_a_batch(tiny_llama: Path, tmp_path: Path) -> None:
    recipe = replace(RECIPE, dropout=0.0, epochs=2)
    _, padded = run(tiny_llama, tmp_path / "1", recipe)
    _, apart = run(tiny_llama, tmp_path / "2", replace(recipe, packed=12, apart=True))
    assert [p.loss for p in padded.points] == pytest.approx([p.loss for p in apart.points], rel=1e-3)


def test_the_best_epoch_is_kept(tiny_llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model at the end has the weights of the epoch with the best measurement."""
    measured = training_loop._Loop.loss_on
    weights: list[dict[str, torch.Tensor]] = []

    def worse_after_two(self: training_loop._Loop, split: DataSplit) -> float | None:
        if split is DataSplit.VALIDATION:
            weights.append(
                {n: w.detach().clone() for n, w in training_checkpoint.trained(self._model).items()}
            )
            return [2.0, 1.0, 1.0, 3.0][len(weights) - 1]
        return measured(self, split)

    monkeypatch.setattr(training_loop._Loop, "loss_on", worse_after_two)
    model, outcome = run(tiny_llama, tmp_path, replace(RECIPE, epochs=4))
    assert outcome.story.best is not None
    assert outcome.story.best.number == 2, "of equals the first"
    assert all(torch.equal(w, weights[1][n]) for n, w in training_checkpoint.trained(model).items())
    assert any(not torch.equal(w, weights[3][n]) for n, w in load_file(tmp_path / BEST).items())


def test_without_validation_the_last_epoch_is_kept(tiny_llama: Path, tmp_path: Path) -> None:
    model, outcome = run(tiny_llama, tmp_path, examples={DataSplit.TRAIN: EXAMPLES[DataSplit.TRAIN]})
    assert outcome.test is None
    assert [epoch.validation for epoch in outcome.story.epochs] == [None] * 3
    state = load_file(tmp_path / STATE)
    assert all(torch.equal(w, state[f"weights.{n}"]) for n, w in training_checkpoint.trained(model).items())


@pytest.mark.parametrize(
    "change",
    [
        {"rate": 2e-2},
        {"warm_up": 3},
        {"weight_decay": 0.5},
        {"clip": 0.01},
        {"batch": 1},
        {"accumulation": 1},
        {"epochs": 1},
        {"seed": 2},
        {"rank": 4},
        {"alpha": 64},
        {"dropout": 0.5},
        {"layers": ("q_proj",)},
        {"full": True},
        {"precision": Precision.BF16},
        {"packed": 64},
    ],
    ids=str,
)
def test_every_part_of_the_recipe_has_its_effect(
    tiny_llama: Path, usual: TrainingOutcome, tmp_path: Path, change: dict[str, Any]
) -> None:
    _, other = run(tiny_llama, tmp_path, replace(SHORT, **change))
    assert [p.loss for p in usual.points] != [p.loss for p in other.points]


def test_checkpointing_saves_memory_and_changes_nothing_else(tiny_llama: Path, tmp_path: Path) -> None:
    kept: list[int] = []
    losses = []
    for on in (True, False):
        recipe = replace(RECIPE, checkpointing=on)
        sizes: list[int] = []

        def weigh(tensor: torch.Tensor, sizes: list[int] = sizes) -> torch.Tensor:
            sizes.append(tensor.nbytes)
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(weigh, lambda tensor: tensor):
            _, outcome = run(tiny_llama, tmp_path / str(on), recipe)
        kept.append(sum(sizes))
        losses.append([point.loss for point in outcome.points])
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)
    assert kept[0] != kept[1]


def test_another_training_in_the_folder_is_not_written_over(tiny_llama: Path, tmp_path: Path) -> None:
    run(tiny_llama, tmp_path, data="one")
    with pytest.raises(TrainingDiffers, match="another recipe and data"):
        run(tiny_llama, tmp_path, replace(RECIPE, rate=1.0), data="two")
    training_checkpoint.forget(tmp_path)
    _, outcome = run(tiny_llama, tmp_path, data="two")
    assert len(outcome.points) == 6


def test_a_state_that_is_none_is_told(tiny_llama: Path, tmp_path: Path) -> None:
    (tmp_path / STATE).write_bytes(b"nothing")
    with pytest.raises(TrainingDiffers, match="is not the checkpoint"):
        run(tiny_llama, tmp_path)


def test_what_was_half_written_does_no_harm(tiny_llama: Path, usual: TrainingOutcome, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tiny_llama, tmp_path / "parts", SHORT, told=Stopped(3))
    (tmp_path / "parts" / "state.new").write_bytes(b"\0" * 100)
    with (tmp_path / "parts" / training_checkpoint.CURVE).open("a") as file:
        file.write('{"step": 4, "epo')
    _, outcome = run(tiny_llama, tmp_path / "parts", SHORT)
    assert plain(outcome) == plain(usual)


def test_a_loss_that_is_no_number_stops_it(tiny_llama: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingDiverged, match="step"):
        run(tiny_llama, tmp_path, replace(RECIPE, rate=1e30, full=True))


def test_too_little_memory_is_told(tiny_llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object) -> None:
        raise torch.OutOfMemoryError("nothing is free")

    monkeypatch.setattr(training_loop, "lost", none_left)
    with pytest.raises(TrainingTooLarge, match="nothing is free"):
        run(tiny_llama, tmp_path)
