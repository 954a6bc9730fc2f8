"""What the code imports, its own files install; what a machine has by chance must not hide a lack."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.architecture.source import ROOMS, modules

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
COMES_WITH = {
    "starlette": "fastapi",
    "anyio": "fastapi",
    "httpx2": "openai",
    "tokenizers": "transformers",
    "huggingface_hub": "transformers",
    "jinja2": "torch",
}
"""A framework's own foundations, of the version that it wants."""
EXTRAS = {
    "bitsandbytes": "quantised",
    "opentelemetry": "otel",
    "matplotlib": "train",
    "nltk": "evaluate",
    "rouge_score": "evaluate",
}
"""Imported only when the extra is asked for."""


def test_whatever_is_imported_is_declared() -> None:
    base = {_name(line) for line in PROJECT["dependencies"]}
    found = {name.split(".")[0] for module in modules() for name in module.imports}
    outside = found - set(ROOMS) - set(sys.stdlib_module_names) - set(EXTRAS)
    assert outside
    installed = packages_distributions()
    wanted = {name: COMES_WITH.get(name, name) for name in outside}
    assert not {name for name, module in wanted.items() if not _installs(module, installed) & base}


def test_extras_hold_what_is_imported_for_them() -> None:
    for name, extra in EXTRAS.items():
        package = name.replace("_", "-")
        assert any(line.startswith(package) for line in PROJECT["optional-dependencies"][extra])


def _installs(module: str, installed: Mapping[str, list[str]]) -> set[str]:
    """The packages that a module may come from; the same name where none is installed."""
    return {_name(package) for package in installed.get(module, [module])}


def _name(requirement: str) -> str:
    plain = re.match(r"[\w.-]+", requirement)
    assert plain is not None
    return plain[0].lower().replace("_", "-")
