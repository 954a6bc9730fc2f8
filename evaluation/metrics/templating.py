"""The texts with which a language model is asked for questions and for answers, as files with a version."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from string import Template

from generation.models.types import Message, Role

VERSION = 1
PIECES = ("system", "questions", "answers")


@cache
def piece(name: str) -> str:
    home = files("evaluation.metrics").joinpath("templates", str(VERSION))
    return home.joinpath(f"{name}.txt").read_text("utf-8").strip()


def messages(name: str, **values: str) -> tuple[Message, ...]:
    filled = Template(piece(name)).substitute(values)
    return (Message(Role.SYSTEM, piece("system")), Message(Role.USER, filled))


@cache
def fingerprint() -> str:
    """Version and hash of all the texts: another letter anywhere is another fingerprint."""
    hashed = hashlib.sha256("\0".join(piece(name) for name in PIECES).encode())
    return f"{VERSION}/{hashed.hexdigest()[:16]}"
