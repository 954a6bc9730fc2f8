"""The one model that is loaded in this process: shared by all who ask for it, until another is asked for."""

from __future__ import annotations

import atexit
import gc
import threading
from collections.abc import Callable
from dataclasses import dataclass

import torch

from generation.models.llama.scheduler import Scheduler


@dataclass(frozen=True, slots=True)
class ModelKey:
    """What two users must have in common to share a model."""

    name: str
    """Says all about its weights."""
    device: str
    batch: int
    context: int


_lock = threading.Lock()
_loaded: dict[ModelKey, Scheduler] = {}


def borrow(key: ModelKey, load: Callable[[], Scheduler]) -> Scheduler:
    """The scheduler of this model, loaded if need be, once any other has finished its work and is gone."""
    with _lock:
        if key not in _loaded:
            _unload()
            _loaded[key] = load()
        return _loaded[key]


def unload() -> None:
    """Free the memory, once the work in hand is done."""
    with _lock:
        _unload()


def _unload() -> None:
    while _loaded:
        _, scheduler = _loaded.popitem()
        scheduler.close()
        del scheduler
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


@atexit.register
def _stop() -> None:
    """A thread that computes while Python ends would take the process down with it."""
    for scheduler in _loaded.values():
        scheduler.close(abandon=True)
