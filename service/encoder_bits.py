"""Which precision the encoders use on this machine: the setting, or what was measured here once.

The choice is kept, by machine, in the data folder. The same machine must not read the same book with another
precision tomorrow because it was busy when it measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from coref.encoder_bits import EncoderBits
from service.kept_by_machine import KeptByMachine

FILE: Final = "encoder_bits.json"

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
    kept = KeptByMachine(file)
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        found = kept.found() or {}
        return BitsChoice(EncoderBits(found["bits"]), dict(found["rates"]))
    from coref.native.encoder_speed import fastest_of, measure_rates

    rates = measure_rates()
    choice = BitsChoice(fastest_of(rates), {str(each): round(rate) for each, rate in rates.items()})
    kept.keep(asdict(choice))
    return choice
