"""Weights that lie in a package."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import Any

from numpy.typing import NDArray


def load(package: str, name: str) -> dict[str, NDArray[Any]]:
    from safetensors.numpy import load_file

    with as_file(files(package).joinpath(name)) as path:
        return load_file(path)
