"""Lean layers give the same results as PEFT's, and leave alone what they can't replace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM

from generation.models.llama.adapters import LeanAdapters, LeanLinear, PeftAdapters, settle
from tests.generation.models import tiny

ASKED = torch.tensor([[0, 70, 71, 300, 12], [0, 1, 2, 3, 4]])


@pytest.fixture
def base(tiny_llama: Path) -> Any:
    return AutoModelForCausalLM.from_pretrained(tiny_llama, dtype=torch.float32)


@pytest.fixture(scope="module")
def other(tiny_llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.adapt(tiny_llama, tmp_path_factory.mktemp("llama") / "other", seed=7)


@torch.inference_mode()
def chances(model: Any) -> torch.Tensor:
    found: torch.Tensor = model(input_ids=ASKED).logits
    return found


def test_plain_adapters_become_lean(base: Any, tiny_adapter: Path, other: Path) -> None:
    plain = chances(base)
    model = PeftModel.from_pretrained(base, tiny_adapter, adapter_name="one").eval()
    model.load_adapter(other, adapter_name="other")
    wanted = {}
    for name in ("one", "other"):
        model.set_adapter(name)
        wanted[name] = chances(model)
    assert (wanted["one"] - wanted["other"]).abs().max() > 0.1

    settled, adapters = settle(model)
    assert isinstance(adapters, LeanAdapters)
    assert sum(isinstance(part, LeanLinear) for part in settled.modules()) == 2 * len(tiny.PROJECTIONS)
    assert torch.equal(chances(settled), plain), "none is in use"
    for name in ("one", "other", "one"):
        adapters.use(name)
        assert torch.allclose(chances(settled), wanted[name], atol=1e-4)
    adapters.use(None)
    assert torch.equal(chances(settled), plain)


def test_what_is_settled_stays_so(base: Any, tiny_adapter: Path) -> None:
    model, adapters = settle(PeftModel.from_pretrained(base, tiny_adapter, adapter_name="one"))
    adapters.use("one")
    wanted = chances(model)
    again, adapters = settle(model)
    assert not torch.equal(chances(again), wanted)
    adapters.use("one")
    assert torch.equal(chances(again), wanted)


def test_an_adapter_may_leave_some_layers_as_they_are(
    base: Any, tiny_adapter: Path, tiny_llama: Path
) -> None:
    model = PeftModel.from_pretrained(base, tiny_adapter, adapter_name="one")
    model.add_adapter("narrow", LoraConfig(r=4, target_modules=["q_proj"], init_lora_weights=False))
    model.set_adapter("narrow")
    wanted = chances(model.eval())
    settled, adapters = settle(model)
    adapters.use("one")
    adapters.use("narrow")
    assert torch.allclose(chances(settled), wanted, atol=1e-4)


@pytest.mark.parametrize(
    "kind",
    [{"use_dora": True}, {"modules_to_save": ["lm_head"]}, {"target_modules": ["embed_tokens", "q_proj"]}],
    ids=lambda kind: next(iter(kind)),
)
def test_what_is_not_plain_is_left_to_peft(base: Any, kind: dict[str, Any]) -> None:
    plain = chances(base)
    config = LoraConfig(r=4, init_lora_weights=False, **{"target_modules": ["q_proj"], **kind})
    model = get_peft_model(base, config, adapter_name="one").eval()
    wanted = chances(model)
    settled, adapters = settle(model)
    assert isinstance(adapters, PeftAdapters)
    assert torch.equal(chances(settled), plain)
    adapters.use("one")
    assert torch.equal(chances(settled), wanted)
    assert not torch.equal(wanted, plain)


def test_a_base_alone_has_none(base: Any) -> None:
    settled, adapters = settle(base)
    wanted = chances(base)
    adapters.use(None)
    assert settled is base
    assert torch.equal(chances(settled), wanted)
