"""Prompt texts as files of a package with a version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

from generation.models.types import Message, MessageRole


@dataclass(frozen=True, slots=True)
class PromptFiles:
    """`templates/VERSION/NAME.txt` of a package, with `$placeholders` as in `string.Template`."""

    package: str
    version: int
    names: tuple[str, ...]

    def piece(self, name: str) -> str:
        return _read(self.package, self.version, name)

    def fill(self, name: str, **values: str) -> str:
        return Template(self.piece(name)).substitute(values)

    def messages(self, name: str, **values: str) -> tuple[Message, ...]:
        """Return the piece `system`, and another one as what is asked."""
        asked = Message(MessageRole.USER, self.fill(name, **values))
        return Message(MessageRole.SYSTEM, self.piece("system")), asked

    @property
    def fingerprint(self) -> str:
        """Version and hash of all the texts. It changes with any letter."""
        hashed = hashlib.sha256()
        for name in self.names:
            hashed.update(f"{name}\0{self.piece(name)}\0".encode())
        return f"{self.version}/{hashed.hexdigest()[:16]}"


@cache
def _read(package: str, version: int, name: str) -> str:
    return files(package).joinpath("templates", str(version), f"{name}.txt").read_text("utf-8").strip()
