"""What is logged of an exception: its class and its place. Stage processes tell both without the logger."""

from __future__ import annotations

from types import TracebackType
from typing import Any

_FRAMES = 12
"""Number of frames of an exception that are logged, the innermost."""


def describe_exception(error: BaseException) -> dict[str, Any]:
    kind = type(error)
    return {"exception": f"{kind.__module__}.{kind.__qualname__}", "frames": _frames(error.__traceback__)}


def _frames(traceback: TracebackType | None) -> list[str]:
    frames: list[str] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        frames.append(f"{code.co_filename.rsplit('/', 1)[-1]}:{traceback.tb_lineno}:{code.co_name}")
        traceback = traceback.tb_next
    return frames[-_FRAMES:]
