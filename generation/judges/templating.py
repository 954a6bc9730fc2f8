"""The texts with which a language model is asked to judge, as files with a version."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from string import Template

VERSION = 1
PIECES = ("system", "judge")


@cache
def piece(name: str) -> str:
    home = files("generation.judges").joinpath("templates", str(VERSION))
    return home.joinpath(f"{name}.txt").read_text("utf-8").strip()


def fill(name: str, **values: str) -> str:
    return Template(piece(name)).substitute(values)


@cache
def fingerprint() -> str:
    """Version and hash of all the texts: another letter anywhere is another fingerprint."""
    hashed = hashlib.sha256()
    for name in PIECES:
        hashed.update(f"{name}\0{piece(name)}\0".encode())
    return f"{VERSION}/{hashed.hexdigest()[:16]}"
