from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from generation.checking.setup import JudgeSetup, NliSetup
from generation.errors import GeneratorUnavailable, JudgeUnavailable
from generation.registry import GENERATORS, JUDGES, make_generator, make_judge, make_model
from tests.failing import fails
from tests.generation.inference import checkpoint

NEEDS_WEIGHTS_OR_A_SERVER = {"llama", "openai"}


@pytest.mark.parametrize("name", sorted(GENERATORS.keys() - NEEDS_WEIGHTS_OR_A_SERVER))
def test_every_generator_is_made_by_its_name_and_says_so(name: str) -> None:
    assert make_generator(name).name.startswith(f"{name}/")


@pytest.mark.parametrize("name", sorted(JUDGES))
def test_every_judge_is_made_by_its_name_and_says_so(name: str, tmp_path: Path) -> None:
    nli = NliSetup(checkpoint(tmp_path)) if name == "nli" else NliSetup()
    setup = JudgeSetup(nli=nli, writer="scripted-model")
    assert make_judge(name, setup=setup).name.startswith(f"{name}/")


def test_a_writer_without_a_language_model_cannot_judge() -> None:
    with fails(JudgeUnavailable, match=r"llama, openai\. "):
        make_judge("llm", setup=JudgeSetup(writer="offline"))


def test_the_remedy_for_a_missing_language_model_is_none_without_one() -> None:
    with fails(GeneratorUnavailable, match=r"llama, openai\.") as refused:
        make_model("offline")
    assert "offline" not in refused.value.wording(candid=True).remedy


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with fails(GeneratorUnavailable, match=r"llama, offline, openai\. "):
        make_generator("gpt-9")
    with fails(JudgeUnavailable, match="offline"):
        make_judge("solomon")


def test_asking_the_registry_imports_nothing_heavy() -> None:
    code = "import sys, generation.registry as r; r.make_generator('offline'); print('torch' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
