from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from coref.training import checkpoint
from tests.coref.native.conftest import encoder_folder

__all__ = ["encoder_folder"]


@contextmanager
def stopped_after_two(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Interrupt a training when its second epoch is saved."""
    saved = checkpoint.save

    def save(folder: Path, story: checkpoint.CorefTrainingState, *rest: object) -> None:
        saved(folder, story, *rest)  # type: ignore[arg-type]
        if len(story.epochs) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, "save", save)
        with pytest.raises(KeyboardInterrupt):
            yield
