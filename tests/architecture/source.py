"""The house's own source, as syntax trees: what the architecture tests look at."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("books", "coref", "retrieval", "generation", "evaluation", "db", "service", "migrations")
COMMANDS = ("evaluation/commands/", "coref/training/commands/")
"""Commands of research lie beside what they run. They are part of the command line: they may import every
room and `service.cli`, and nothing else imports them."""


@dataclass(frozen=True)
class Module:
    path: Path
    tree: ast.Module
    lines: int

    @property
    def name(self) -> str:
        """Path from the root, such as `coref/gate.py`: how failures name it."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def room(self) -> str:
        return self.path.relative_to(ROOT).parts[0]

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Every module it imports, wherever the import stands, as a dotted name."""
        return tuple(self._imports())

    def _imports(self) -> Iterator[str]:
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.name}: relative imports hide the direction"
                yield from self._from(node)

    @staticmethod
    def _from(node: ast.ImportFrom) -> Iterator[str]:
        """The module, whether it or something in it is imported: `coref.gate` for both forms of `from`."""
        assert node.module
        for alias in node.names:
            inner = ROOT.joinpath(*node.module.split("."), alias.name)
            is_module = inner.with_suffix(".py").exists() or inner.is_dir()
            yield f"{node.module}.{alias.name}" if is_module else node.module

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node

    def environment_reads(self) -> Iterator[ast.Attribute]:
        """Uses of `os.environ` and `os.getenv`."""
        for node in self.nodes:
            if (
                isinstance(node, ast.Attribute)
                and node.attr in ("environ", "getenv")
                and isinstance(node.value, ast.Name)
                and node.value.id == "os"
            ):
                yield node


@cache
def modules(*rooms: str) -> tuple[Module, ...]:
    """The modules of the given rooms, of all of them by default."""
    return tuple(m for m in _all() if m.room in (rooms or ROOMS))


@cache
def _all() -> tuple[Module, ...]:
    """Looks for no garbage among millions of nodes that stay: that took ten times as long as parsing them."""
    enabled = gc.isenabled()
    gc.disable()
    found = tuple(_parse(p) for room in ROOMS for p in sorted((ROOT / room).rglob("*.py")))
    gc.freeze()
    if enabled:
        gc.enable()
    return found


def _parse(path: Path) -> Module:
    text = path.read_text("utf-8")
    return Module(path, ast.parse(text), len(text.splitlines()))
