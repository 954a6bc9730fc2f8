"""Readable output of `bookworm train lora`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from service.cli.figure_tables import figure_table

if TYPE_CHECKING:
    from generation.training.course import Trained
    from generation.training.sample_statistics import LengthSpread, SplitStatistics
    from generation.training.training_memory import TrainingMemory

GB = 1e9


def statistics(found: Mapping[str, SplitStatistics]) -> Table:
    """A table with a column for each split."""
    table = figure_table("", *found)
    for name, shown in _ROWS.items():
        table.add_row(name, *map(shown, found.values()))
    return table


def outlook(steps: int, tokens: int, memory: TrainingMemory, device: str) -> Iterator[Text]:
    """The steps, tokens and memory of the training."""
    share = memory.trainable / memory.parameters
    yield Text(f"{steps:,} steps, {tokens:,} tokens of training data, on {device}")
    yield Text(f"{memory.trainable:,} of {memory.parameters:,} weights are trained ({share:.2%})")
    yield Text(
        f"About {memory.total / GB:.1f} GB of memory: {memory.weights / GB:.1f} for weights,"
        f" {memory.trained / GB:.1f} to train them, {memory.activations / GB:.1f} for the longest example"
    )


def outcome(trained: Trained) -> Iterator[Text]:
    metrics: Mapping[str, Any] = trained.manifest["metrics"]
    told = [f"epoch {metrics['kept']} is used"]
    told += [
        f"{name} loss {metrics[key]:.4f}"
        for name, key in (("validation", "validation_loss"), ("test", "test_loss"))
        if metrics[key] is not None
    ]
    yield Text(f"{trained.folder}: {', '.join(told)}")
    for command in trained.manifest["serve"].values():
        yield Text(f"  {command}", style="dim")


def _spread(spread: LengthSpread) -> str:
    if spread.least == spread.most:
        return f"{spread.most:,}"
    return f"{spread.median:,.0f} ({spread.least:,}–{spread.most:,})"


_ROWS: dict[str, Callable[[SplitStatistics], str]] = {
    "Books": lambda s: f"{s.books:,}",
    "Samples": lambda s: f"{s.samples:,}",
    "Characters per book": lambda s: _spread(s.characters_a_book),
    "Words per reference": lambda s: _spread(s.reference_words),
    "Tokens per prompt": lambda s: _spread(s.prompt_tokens),
    "Tokens per answer": lambda s: _spread(s.answer_tokens),
    "Passages per prompt": lambda s: _spread(s.passages),
    "Passages that did not fit": lambda s: _spread(s.left_out),
    "Truncated answers": lambda s: f"{s.truncated:,}",
}
