"""The registries are a contract: names that people have in their settings and scripts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from coref.registry import RESOLVERS
from evaluation.metrics.registry import METRICS
from evaluation.portraits.systems import SYSTEMS
from generation.registry import EXTRACTORS, GENERATORS, JUDGES
from retrieval.registry import EMBEDDERS, RETRIEVERS
from service.engines import checker
from service.settings import Settings
from tests.architecture.source import ROOT

GOLDEN: dict[str, list[str]] = json.loads(
    (Path(__file__).parent / "registries.golden.json").read_text("utf-8")
)
REGISTRIES = {
    "RESOLVERS": RESOLVERS,
    "EMBEDDERS": EMBEDDERS,
    "RETRIEVERS": RETRIEVERS,
    "GENERATORS": GENERATORS,
    "EXTRACTORS": EXTRACTORS,
    "JUDGES": JUDGES,
    "METRICS": METRICS,
    "SYSTEMS": SYSTEMS,
}
HEAVY = ("torch", "transformers", "faiss", "bm25s")


@pytest.mark.parametrize("name", REGISTRIES)
def test_it_is_the_golden_one(name: str) -> None:
    assert sorted(REGISTRIES[name]) == GOLDEN[name]


@pytest.mark.parametrize(
    ("setting", "registry"),
    [
        ("resolver", "RESOLVERS"),
        ("embedder", "EMBEDDERS"),
        ("retriever", "RETRIEVERS"),
    ],
)
def test_the_defaults_are_registered(setting: str, registry: str) -> None:
    assert Settings.model_fields[setting].default in GOLDEN[registry]


@pytest.mark.parametrize(("setting", "registry"), [("extractor", EXTRACTORS), ("judge", JUDGES)])
@pytest.mark.parametrize("generator", GENERATORS)
def test_what_checks_a_generator_by_default_is_registered(
    setting: str, registry: dict[str, object], generator: str
) -> None:
    wanted: str = Settings.model_fields[setting].default
    assert checker(wanted, "openai", generator)[0] in registry


def test_knowing_the_names_costs_nothing() -> None:
    """What is heavy is imported by the factories, when an engine is asked for."""
    code = (
        "import sys, coref.registry, retrieval.registry, generation.registry, evaluation.portraits.systems; "
        "import evaluation.metrics.registry; "
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
