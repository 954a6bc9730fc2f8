"""Small modules, small functions, a docstring on each module; and the names that are never used.

Sizes are a ratchet: `ratchet.json` holds what is over the mark today, which may shrink and never grow.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path

from tests.architecture.source import ROOT, modules

MODULE_LINES = 400
FUNCTION_LINES = 50
PRINTERS = ("service/cli/", "evaluation/", "service/jobs/child.py")
"""Commands, and the process whose stdout is its report."""
RATCHET: dict[str, int] = json.loads((Path(__file__).parent / "ratchet.json").read_text("utf-8"))


def function_sizes() -> dict[str, int]:
    return {
        f"{module.name}::{f.name}": (f.end_lineno or f.lineno) - f.lineno + 1
        for module in modules()
        if module.room != "migrations"  # history: what is written stays as it is
        for f in module.functions()
    }


def over(sizes: dict[str, int], mark: int) -> list[str]:
    return [f"{name} has {size} lines" for name, size in sizes.items() if size > RATCHET.get(name, mark)]


def test_modules_are_small() -> None:
    assert not over({m.name: m.lines for m in modules()}, MODULE_LINES)


def test_functions_are_small() -> None:
    assert not over(function_sizes(), FUNCTION_LINES)


def test_the_ratchet_only_tightens() -> None:
    """An entry that is no longer needed, or looser than needed, goes."""
    sizes = {m.name: m.lines for m in modules()} | function_sizes()
    loose = {name: (mark, sizes.get(name)) for name, mark in RATCHET.items() if sizes.get(name) != mark}
    assert not loose, "write the new sizes into ratchet.json (drop what is under the mark)"


def test_every_module_says_what_it_is_for() -> None:
    assert not [m.name for m in modules() if not ast.get_docstring(m.tree)]


def test_no_drawer_for_odds_and_ends() -> None:
    drawers = {"utils", "util", "helpers", "misc", "common"}
    assert not [m.name for m in modules() if drawers & {m.path.stem, *m.path.relative_to(ROOT).parts[:-1]}]


def test_no_printing_outside_the_command_line() -> None:
    wrong = [
        f"{module.name}:{node.lineno}"
        for module in modules()
        if not module.name.startswith(PRINTERS)
        for node in module.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert not wrong


def test_every_function_is_typed() -> None:
    """100% return types; mypy --strict checks the rest."""
    assert not [f"{m.name}::{f.name}" for m in modules() for f in m.functions() if f.returns is None]


def test_no_stubs() -> None:
    """Nothing that only promises; to catch what a library does not implement is no promise."""
    marks = ("raise NotImplementedError", "TODO", "FIXME", "XXX")
    wrong = [f"{m.name}: {mark}" for m in modules() for mark in marks if mark in m.path.read_text("utf-8")]
    assert not wrong
