"""Steps that are recorded once and then launched whole, on a GPU.

A step has more than a thousand small kernels. While few answers are being written, launching them one by one
from Python takes longer than running them. A recorded step (a CUDA graph) does the same work at the same
addresses, so everything that changes from one step to the next lies in tensors that stay in place.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from typing import Protocol

import torch
from torch import Tensor

STEADY = 2
"""Steps of a shape in a row before one is recorded. They also make all that is made on first use."""
MOST = 32
"""Shapes. Each takes some megabytes of the device."""
_log = logging.getLogger(__name__)


class Recorder(Protocol):
    def run(self, storage: object, shape: Hashable, step: Callable[[], Tensor]) -> Tensor:
        """Return a step's result. With the same storage and shape it does the same at the same addresses."""
        ...


class GraphRecorder:
    """For one thread. A result is overwritten by the next step."""

    def __init__(self, device: str) -> None:
        self._device = torch.device(device)
        self._aside = torch.cuda.Stream(self._device)  # type: ignore[no-untyped-call]
        self._able = True
        self._storage: object = None
        self._last: Hashable = None
        self._repeated = 0
        self._recorded: dict[Hashable, tuple[torch.cuda.CUDAGraph, Tensor]] = {}
        self._pool = torch.cuda.graph_pool_handle()

    @property
    def recorded(self) -> frozenset[Hashable]:
        """The shapes."""
        return frozenset(self._recorded)

    def run(self, storage: object, shape: Hashable, step: Callable[[], Tensor]) -> Tensor:
        if storage is not self._storage or len(self._recorded) == MOST:
            self._forget(storage)
        if shape not in self._recorded and not (self._due(shape) and self._record(shape, step)):
            return step()
        graph, result = self._recorded[shape]
        graph.replay()
        return result

    def _due(self, shape: Hashable) -> bool:
        self._repeated = self._repeated + 1 if shape == self._last else 0
        self._last = shape
        return self._able and self._repeated >= STEADY

    def _record(self, shape: Hashable, step: Callable[[], Tensor]) -> bool:
        """Record a step without running it. This fails for a model that needs its numbers on the way."""
        graph = torch.cuda.CUDAGraph()
        usual = torch.cuda.current_stream(self._device)
        self._aside.wait_stream(usual)
        try:
            with torch.cuda.stream(self._aside):
                # Other threads go on using the device.
                graph.capture_begin(pool=self._pool, capture_error_mode="thread_local")
                try:
                    result = step()
                finally:
                    graph.capture_end()
        except RuntimeError as error:
            _log.warning("The steps of this model can't be recorded, and are slower: %s", error)
            self._able = False
            return False
        usual.wait_stream(self._aside)
        self._recorded[shape] = (graph, result)
        return True

    def _forget(self, storage: object) -> None:
        self._storage, self._last, self._repeated = storage, None, 0
        self._recorded = {}
        self._pool = torch.cuda.graph_pool_handle()
