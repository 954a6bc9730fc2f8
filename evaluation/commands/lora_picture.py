"""Draw the loss curve as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from generation.training.errors import TrainingImpossible
from generation.training.types import LossPoint, TrainingEpoch

SMOOTH = 0.9
"""Share of the smoothed line that is kept at each step."""


def library() -> ModuleType:
    """Return the plotting library, before a training begins, so that a missing one is reported early."""
    try:
        import matplotlib
    except ImportError as error:
        raise TrainingImpossible(
            "The loss curve can't be drawn without matplotlib.",
            remedy="Install bookworm[train], or give --picture none.",
        ) from error
    matplotlib.use("Agg")
    return matplotlib


def draw(points: Sequence[LossPoint], epochs: Sequence[TrainingEpoch], file: Path, *, title: str) -> None:
    """Draw a PNG or SVG, by the file's name."""
    library()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot(title=title, xlabel="step", ylabel="loss a token")
    steps = [point.step for point in points]
    axes.plot(steps, [p.loss for p in points], color="#9ecae1", linewidth=0.8, label="each step")
    axes.plot(steps, smoothed([p.loss for p in points]), color="#08519c", label="training, smooth")
    measured = [(epoch.step, epoch.validation) for epoch in epochs if epoch.validation is not None]
    if measured:
        axes.plot(*zip(*measured, strict=True), color="#d94801", marker="o", label="validation")
        best = min(measured, key=lambda pair: pair[1])
        axes.annotate(f"{best[1]:.3f}", best, textcoords="offset points", xytext=(0, 8), ha="center")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
    aside = file.with_name(f"new-{file.name}")
    figure.savefig(aside, dpi=150)
    aside.replace(file)


def smoothed(losses: Sequence[float]) -> list[float]:
    """Return a moving average that is correct from its first step on."""
    line: list[float] = []
    total = weight = 0.0
    for loss in losses:
        total = SMOOTH * total + (1 - SMOOTH) * loss
        weight = SMOOTH * weight + (1 - SMOOTH)
        line.append(total / weight)
    return line
