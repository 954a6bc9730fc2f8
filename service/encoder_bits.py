"""Which precision the encoders use on this machine: the setting, or what was measured here once.

The choice is kept, by machine, in the data folder. The same machine must not read the same book with another
precision tomorrow because it was busy when it measured.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, Literal
from uuid import uuid4

from coref.encoder_bits import EncoderBits

FILE: Final = "encoder_bits.json"
_MACHINES = 20
"""Number of machines that are remembered: each container has another name."""

BitsWanted = Literal["auto", "8", "16", "32"]


@dataclass(frozen=True, slots=True)
class BitsChoice:
    bits: EncoderBits
    rates: Mapping[str, int]
    """Pieces of words per second of each precision that was measured; empty for a setting or a GPU."""


@dataclass(frozen=True, slots=True)
class BitsRule:
    wanted: BitsWanted
    file: Path

    def __call__(self) -> EncoderBits:
        return self.choice().bits

    def choice(self) -> BitsChoice:
        if self.wanted != "auto":
            return BitsChoice(EncoderBits(self.wanted), {})
        return _measured_once(self.file)

    def to_line(self) -> str:
        """Return one line of JSON, to pass it to another process."""
        return json.dumps({"wanted": self.wanted, "file": str(self.file)})

    @staticmethod
    def from_line(line: str) -> BitsRule:
        told = json.loads(line)
        return BitsRule(told["wanted"], Path(told["file"]))


EXACT: Final = BitsRule("32", Path(FILE))


@lru_cache(maxsize=4)
def _measured_once(file: Path) -> BitsChoice:
    kept, machine = _kept(file), _machine()
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        found = kept[machine]
        return BitsChoice(EncoderBits(found["bits"]), dict(found["rates"]))
    from coref.native.encoder_speed import fastest_of, measure_rates

    rates = measure_rates()
    choice = BitsChoice(fastest_of(rates), {str(each): round(rate) for each, rate in rates.items()})
    _keep(file, {**dict(list(kept.items())[1 - _MACHINES :]), machine: asdict(choice)})
    return choice


def _kept(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _keep(file: Path, choices: Mapping[str, Any]) -> None:
    """Keep the choices if the folder can be written to. Otherwise each process measures for itself."""
    aside = file.with_name(f"{file.name}.{uuid4().hex}")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(json.dumps(choices, indent=1) + "\n", encoding="utf-8")
        aside.replace(file)


def _machine() -> str:
    """Return the machine's name, with the versions of the libraries that do the work."""
    return " ".join((platform.node(), platform.machine(), *map(_version, ("torch", "openvino"))))


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"
