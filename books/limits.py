"""How much a source may cost. Everything is counted while reading: sizes that a file declares can lie."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    unpacked: int = 256 * MIB
    """Bytes that come out of a compressed file, in all."""
    entries: int = 20_000
    """Files in an archive."""
    depth: int = 250
    """Elements within elements."""
    ratio: int = 1_000
    """Bytes that one byte of an archive's entry may unpack to; past a mebibyte."""
