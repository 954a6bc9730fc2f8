"""A simulated device: its tensors claim to be on `meta`, keep their values, and refuse all others.

Computing with tensors of both devices is an error, as it would be on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

DEVICE = "meta"
_BETWEEN = (torch.ops.aten.copy_.default, torch.ops.aten._to_copy.default)
"""Operations that copy from one device to another."""


class Elsewhere(Tensor):
    inner: Tensor

    @staticmethod
    def __new__(cls: type[Elsewhere], inner: Tensor) -> Elsewhere:
        made: Elsewhere = Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            cls,
            inner.shape,
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            device=DEVICE,
        )
        made.inner = inner
        return made

    def __repr__(self, **_: object) -> str:  # type: ignore[override]
        return f"Elsewhere({self.inner!r})"

    @classmethod
    def __torch_dispatch__(
        cls,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        return _run(func, args, kwargs or {})


class _There(TorchDispatchMode):
    """Creates tensors on the device, from nothing or from those of the processor."""

    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        return _run(func, args, kwargs or {})


class _Lists(TorchFunctionMode):
    """Converts between lists and tensors outside the other mode."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        named = dict(kwargs or {})
        if func is torch.tensor and (device := named.pop("device", None)) is not None:
            return torch.tensor(*args, **named).to(device)
        if func is Tensor.tolist:
            return args[0].cpu().tolist()
        return func(*args, **named)


@contextmanager
def elsewhere() -> Iterator[None]:
    with _There(), _Lists():
        yield


def _run(func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    flat = [each for each in tree_flatten((args, kwargs))[0] if isinstance(each, Tensor)]
    there = [each for each in flat if isinstance(each, Elsewhere)]
    here = [each for each in flat if not isinstance(each, Elsewhere) and each.dim()]
    if there and here and func not in _BETWEEN:
        raise AssertionError(f"{func} computes with tensors of two devices")
    asked = kwargs.get("device")
    inner, named = tree_map(lambda x: x.inner if isinstance(x, Elsewhere) else x, (args, dict(kwargs)))
    if asked is not None:
        named["device"] = "cpu"
    found = func(*inner, **named)
    stays = asked is None and (isinstance(args[0], Elsewhere) if func in _BETWEEN else bool(there))
    if not stays and (asked is None or torch.device(asked).type != DEVICE):
        return found
    known = {id(each.inner): each for each in there}

    def wrapped(each: Any) -> Any:
        if not isinstance(each, Tensor):
            return each
        return known[id(each)] if id(each) in known else Elsewhere(each)

    return tree_map(wrapped, found)
