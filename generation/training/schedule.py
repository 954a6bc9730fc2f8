"""The number of steps, and the examples and learning rate of each, independent of interruptions."""

from __future__ import annotations

import random

from generation.training.types import Decay, Recipe


def steps_an_epoch(examples: int, recipe: Recipe) -> int:
    return -(-examples // (recipe.batch * recipe.accumulation))


def steps(examples: int, recipe: Recipe) -> int:
    return recipe.epochs * steps_an_epoch(examples, recipe)


def rate(step: int, total: int, recipe: Recipe) -> float:
    """Return the learning rate of a step, counted from 0."""
    if step < recipe.warm_up:
        return recipe.rate * (step + 1) / recipe.warm_up
    if recipe.decay is Decay.CONSTANT:
        return recipe.rate
    return recipe.rate * (total - step) / (total - recipe.warm_up)


def turn(step: int, examples: int, recipe: Recipe) -> list[int]:
    """Return the examples of a step. Every epoch has each once, in another order."""
    epoch, at = divmod(step, steps_an_epoch(examples, recipe))
    order = random.Random(recipe.seed * 10_000 + epoch).sample(range(examples), examples)
    size = recipe.batch * recipe.accumulation
    return order[at * size : (at + 1) * size]
