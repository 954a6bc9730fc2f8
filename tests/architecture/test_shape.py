"""Sizes, a docstring for each module, no prints, no stubs; and the names that are never used.

Sizes are examples to follow: what is larger than a reader likes is reported, and only far beyond that a test
fails. Nobody should split a class in two to pass a count.
"""

from __future__ import annotations

import ast
import warnings

import pytest

from tests.architecture.source import COMMANDS, ROOT, modules

LIKED = {"module": 400, "function": 50}
"""Lines up to which a module or a function is pleasant to read; more is reported as a warning."""
MOST = {"module": 800, "function": 100}
PRINTERS = ("service/cli/", *COMMANDS, "evaluation/", "service/jobs/child.py")
"""Commands, and the process whose stdout is its report."""


def sizes(kind: str) -> dict[str, int]:
    if kind == "module":
        return {m.name: m.lines for m in modules()}
    return {
        f"{module.name}::{f.name}": (f.end_lineno or f.lineno) - f.lineno + 1
        for module in modules()
        if module.room != "migrations"  # migrations are history: what is written stays as it is
        for f in module.functions()
    }


@pytest.mark.parametrize("kind", MOST)
def test_sizes(kind: str) -> None:
    found = sizes(kind)
    assert not [f"{name} has {lines} lines" for name, lines in found.items() if lines > MOST[kind]]
    if large := [f"{name}: {lines}" for name, lines in found.items() if lines > LIKED[kind]]:
        warnings.warn(f"more than {LIKED[kind]} lines in a {kind}: {', '.join(large)}", stacklevel=1)


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
