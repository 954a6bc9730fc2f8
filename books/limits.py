"""Limits on what reading a source may cost. Everything is counted while reading: declared sizes can lie."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    unpacked: int = 256 * MIB
    """Bytes that come out of a compressed file, in total."""
    entries: int = 20_000
    """Files in an archive."""
    depth: int = 250
    """Elements nested within elements."""
    ratio: int = 1_000
    """Bytes that one byte of an archive's entry may unpack to, once the output exceeds a mebibyte."""
