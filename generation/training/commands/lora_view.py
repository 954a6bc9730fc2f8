"""The human-readable output of `bookworm train lora`."""

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
    """Return a table with a column for each split."""
    table = figure_table("", *found)
    for name, shown in _ROWS.items():
        table.add_row(name, *map(shown, found.values()))
    return table


def outlook(steps: int, tokens: int, memory: TrainingMemory, device: str) -> Iterator[Text]:
    """Yield what will be done, and what it takes."""
    share = memory.trainable / memory.parameters
    yield Text(f"{steps:,} steps, {tokens:,} tokens to read and learn from, on {device}")
    yield Text(f"{memory.trainable:,} of {memory.parameters:,} weights are trained ({share:.2%})")
    yield Text(
        f"About {memory.total / GB:.1f} GB of memory: {memory.weights / GB:.1f} for weights,"
        f" {memory.trained / GB:.1f} to train them, {memory.activations / GB:.1f} for the longest example"
    )


def outcome(trained: Trained) -> Iterator[Text]:
    metrics: Mapping[str, Any] = trained.manifest["metrics"]
    told = [f"epoch {metrics['kept']} is kept"]
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
    "Characters a book": lambda s: _spread(s.characters_a_book),
    "Words of a reference": lambda s: _spread(s.reference_words),
    "Tokens of a prompt": lambda s: _spread(s.prompt_tokens),
    "Tokens of an answer": lambda s: _spread(s.answer_tokens),
    "Passages in a prompt": lambda s: _spread(s.passages),
    "Passages without room": lambda s: _spread(s.left_out),
    "Answers cut": lambda s: f"{s.truncated:,}",
}
