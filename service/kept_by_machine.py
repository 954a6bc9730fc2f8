"""Keeps in a file of the data folder what was measured on this machine, beside what others measured.

Several machines may share a data folder. A folder that cannot be written to is no obstacle: then each process
measures for itself.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from service import kept_json

_MACHINES: Final = 20
"""Number of machines that are remembered: each container has another name."""


@dataclass(frozen=True, slots=True)
class KeptByMachine:
    file: Path

    def found(self) -> Mapping[str, Any] | None:
        """Return what this machine has kept. It may be damaged."""
        return kept_json.read(self.file).get(machine())

    def keep(self, value: Mapping[str, Any]) -> None:
        here = machine()
        others = {name: kept for name, kept in kept_json.read(self.file).items() if name != here}
        kept_json.write(self.file, {**dict(list(others.items())[1 - _MACHINES :]), here: value})


def machine() -> str:
    """Return the machine's name, with the versions of the libraries that do the work."""
    return " ".join((platform.node(), platform.machine(), *map(_version, ("torch", "openvino"))))


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"
