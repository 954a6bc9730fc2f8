"""The precision of the encoders. It decides how fast a book is read; see `encoder_speed`."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class EncoderBits(StrEnum):
    """Bits per weight and activation, where the work is done on the processor. A GPU takes 16 bits."""

    EIGHT = "8"
    SIXTEEN = "16"
    THIRTY_TWO = "32"


ChooseBits = Callable[[], EncoderBits]
"""Called only when an engine with an encoder is made, because measuring takes a second."""


def exact() -> EncoderBits:
    return EncoderBits.THIRTY_TWO


_of_this_process: ChooseBits = exact


def choose(bits: ChooseBits) -> None:
    """Choose the precision of the encoders that are loaded deep inside, by whatever needs them first."""
    global _of_this_process
    _of_this_process = bits


def chosen() -> EncoderBits:
    return _of_this_process()
