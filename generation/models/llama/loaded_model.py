"""The one model that is loaded in this process. All users share it until another is requested."""

from __future__ import annotations

import atexit
import gc
import threading
from collections.abc import Callable
from dataclasses import dataclass

from generation.models.llama.memory import Capacity
from generation.models.llama.scheduler import Scheduler, empty_cache


@dataclass(frozen=True, slots=True)
class ModelKey:
    """What two users must have in common to share a model."""

    name: str
    """Identifies its weights completely."""
    device: str
    batch: int
    """Most answers at a time."""
    context: int | None
    """Tokens that were asked for."""
    enough: int | None
    """Tokens for which other answers are given up, if they are fewer than usual."""


_lock = threading.Lock()
_loaded: dict[ModelKey, Scheduler] = {}
_reckoned: dict[ModelKey, Capacity] = {}


def reckoned(key: ModelKey, fit: Callable[[], Capacity]) -> Capacity:
    """Return what fits beside this model. All its users have the same, also when it is loaded already."""
    with _lock:
        if key not in _reckoned:
            _unload()
            _reckoned[key] = fit()
        return _reckoned[key]


def borrow(key: ModelKey, load: Callable[[], Scheduler]) -> Scheduler:
    """Return the scheduler of this model, loading it if needed after any other has finished its work."""
    with _lock:
        if key not in _loaded:
            _unload()
            _loaded[key] = load()
        return _loaded[key]


def unload() -> None:
    """Free the memory after the current work is done."""
    with _lock:
        _unload()


def _unload() -> None:
    while _loaded:
        _, scheduler = _loaded.popitem()
        scheduler.close()
        del scheduler
    gc.collect()
    empty_cache()


@atexit.register
def _stop() -> None:
    """Stop the scheduler at exit: a thread that computes while Python ends would crash the process."""
    for scheduler in _loaded.values():
        scheduler.close(abandon=True)
