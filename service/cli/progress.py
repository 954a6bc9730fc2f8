"""Progress bars on stderr. They are shown only on a terminal, not in logs and pipes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from service.cli.output import err


def _progress() -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", style="dim"),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


@contextmanager
def bar(label: str) -> Iterator[Callable[[float], None]]:
    """Yields a function that takes the share that is done."""
    with _progress() as shown:
        task = shown.add_task(label, total=1.0, left="")
        yield lambda share: shown.update(task, completed=share)


Told = Callable[[str | None, float, float | None], None]
"""Takes the stage, the share of the whole that is done, and the seconds left."""


@contextmanager
def stages(label: str) -> Iterator[Told]:
    """A progress bar for a job with named stages."""
    with _progress() as shown:
        task = shown.add_task(label, total=1.0, left="")

        def told(stage: str | None, share: float, seconds: float | None) -> None:
            left = "" if seconds is None else f"about {seconds:.0f} s left"
            shown.update(
                task, completed=share, left=left, description=f"{label}: {stage}" if stage else label
            )

        yield told
