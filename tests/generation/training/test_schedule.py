"""Steps, rates and order of examples, against a table computed by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generation.training.schedule import rate, steps, steps_an_epoch, turn
from generation.training.types import Decay, Recipe

RECIPE = Recipe(rate=8.0, batch=2, accumulation=2, epochs=2)
"""Ten examples: three steps an epoch (4, 4 and 2 of them), six in all."""


def test_the_last_step_of_an_epoch_may_be_smaller() -> None:
    assert steps_an_epoch(10, RECIPE) == 3
    assert steps(10, RECIPE) == 6
    assert [len(turn(step, 10, RECIPE)) for step in range(6)] == [4, 4, 2, 4, 4, 2]
    assert steps(10, Recipe()) == 4 * 3


@pytest.mark.parametrize(
    ("recipe", "rates"),
    [
        (RECIPE, [8.0, 8 * 5 / 6, 8 * 4 / 6, 4.0, 8 * 2 / 6, 8 / 6]),
        (replace(RECIPE, decay=Decay.CONSTANT), [8.0] * 6),
        (replace(RECIPE, warm_up=2), [4.0, 8.0, 8.0, 6.0, 4.0, 2.0]),
        (replace(RECIPE, warm_up=4, decay=Decay.CONSTANT), [2.0, 4.0, 6.0, 8.0, 8.0, 8.0]),
    ],
)
def test_rates(recipe: Recipe, rates: list[float]) -> None:
    assert [rate(step, 6, recipe) for step in range(6)] == pytest.approx(rates)


def test_every_epoch_has_each_example_once_in_an_order_of_its_own() -> None:
    epochs = [[at for step in range(e * 3, e * 3 + 3) for at in turn(step, 10, RECIPE)] for e in range(2)]
    assert [sorted(epoch) for epoch in epochs] == [list(range(10))] * 2
    assert epochs[0] != epochs[1]
    assert turn(4, 10, RECIPE) == turn(4, 10, RECIPE)
    assert turn(4, 10, RECIPE) != turn(4, 10, replace(RECIPE, seed=2))
