"""The options `--device` and `--threads` of the training commands."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from books.errors import BookwormError


class Device(StrEnum):
    CPU = "cpu"
    CUDA = "cuda"


class DeviceMissing(BookwormError):
    code = "device_missing"
    remedy = "Omit --device, or install a build of PyTorch that supports the GPU of this machine."


DeviceOption = Annotated[
    Device | None,
    typer.Option("--device", help="Device to train on. The default is a GPU if PyTorch finds one."),
]


Threads = Annotated[int | None, typer.Option("--threads", min=1, help="CPU threads; all by default.")]


def ready(threads: int | None) -> None:
    import torch

    if threads is not None:
        torch.set_num_threads(threads)


def chosen(device: Device | None) -> str:
    import torch

    from coref.native.precision import likeliest_device

    if device is Device.CUDA and not torch.cuda.is_available():
        raise DeviceMissing("PyTorch finds no GPU here.")
    return likeliest_device() if device is None else device.value
