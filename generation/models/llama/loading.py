"""Load weights and adapters from files, and test the network and each adapter with a first prompt."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open

from coref.native.precision import fastest, likeliest_device
from generation.errors import GeneratorUnavailable
from generation.models.llama import attention
from generation.models.llama.folders import AdapterFolder, BaseFolder
from generation.models.llama.network import LlamaNetwork
from generation.models.llama.quantisation import settings_for

PREFIX = "base_model.model."


def device_of(wanted: str) -> str:
    """Return the device for `auto`, `cpu`, `mps`, `cuda` or one of several, such as `cuda:1`."""
    if wanted == "auto":
        return (
            "mps" if likeliest_device() == "cpu" and torch.backends.mps.is_available() else likeliest_device()
        )
    kind, _, number = wanted.partition(":")
    if kind not in ("cpu", "cuda", "mps") or (number and (kind == "mps" or not number.isdigit())):
        raise GeneratorUnavailable(
            f"There is no device type “{wanted}”.", remedy="Set the device to `auto`, `cpu`, `cuda` or `mps`."
        )
    if kind == "mps" and not torch.backends.mps.is_available():
        raise GeneratorUnavailable(
            "There is no Apple GPU that torch can use.",
            remedy="Set the device to `auto` or `cpu`, or use macOS 14 or later on Apple's processors.",
        )
    if kind == "cuda" and int(number or 0) >= torch.cuda.device_count():
        raise GeneratorUnavailable(
            f"There is no device “{wanted}”: torch finds {torch.cuda.device_count()} with CUDA.",
            remedy="Set the device to `auto` or `cpu`, or install the GPU's driver and a torch for CUDA.",
        )
    return wanted


def load(
    base: BaseFolder,
    adapters: Mapping[str, AdapterFolder],
    *,
    device: str,
    bits: int,
    rows: int,
    probe: Sequence[int],
    config: Any,
) -> LlamaNetwork:
    """Load a network. `probe` has the tokens of a short prompt with which the adapters are tested."""
    model = base_model(base, device=device, bits=bits, config=config)
    folders: dict[str, AdapterFolder] = {name: adapters[name] for name in serving(adapters).values()}
    for name, adapter in folders.items():
        _expect_fit(adapter, model)
        model = _adapted(model, adapter, name=name, device=device)
    model.eval()
    network = LlamaNetwork(model, device=device, rows=rows)
    _try(network, folders, probe)
    return network


def serving(adapters: Mapping[str, AdapterFolder]) -> dict[str, str]:
    """Return the name of the loaded adapter for each task. Tasks that share a folder share an adapter."""
    names: dict[Path, str] = {}
    return {task: names.setdefault(adapter.folder, task) for task, adapter in adapters.items()}


def expect_known_attention(config: Any) -> None:
    """Refuse windowed attention, which would need caches of its own."""
    kinds = set(getattr(config, "layer_types", None) or ())
    if kinds - {"full_attention"} or (not kinds and getattr(config, "sliding_window", None)):
        raise GeneratorUnavailable(
            f"A {config.model_type} uses windowed attention, which `llama` does not support.",
            remedy="Use a Llama 3, or serve this one with vLLM or Ollama and choose the `openai` generator.",
        )


def base_model(base: BaseFolder, *, device: str, bits: int, config: Any) -> Any:
    """Return the base, without adapters."""
    from transformers import AutoModelForCausalLM

    dtype = fastest(torch.device(device).type)
    quantised = settings_for(bits, device, dtype)
    # Straight to the device if accelerate is installed, else by way of main memory.
    straight = importlib.util.find_spec("accelerate") is not None and (
        device != "cpu" or quantised is not None
    )
    try:
        model = AutoModelForCausalLM.from_pretrained(
            base.folder,
            config=config,
            dtype=dtype,
            quantization_config=quantised,
            attn_implementation=attention.NAME,
            local_files_only=True,
            use_safetensors=True,
            device_map={"": device} if straight else None,
        )
        return model if straight else model.to(device)
    except torch.OutOfMemoryError as error:
        raise GeneratorUnavailable(
            f"The weights of “{base.folder}” do not fit on {device}.",
            remedy="Free its memory, or use a smaller base model.",
        ) from error
    except ImportError as error:
        raise GeneratorUnavailable(
            f"“{base.folder}” needs a package that is not installed: {error}",
            remedy='Install it, for example with `pip install "bookworm[quantised]"`.',
        ) from error
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise GeneratorUnavailable(
            f"“{base.folder}” can't be loaded: {error}", remedy="Copy or download the model again."
        ) from error


def _expect_fit(adapter: AdapterFolder, model: Any) -> None:
    """Check that every matrix fits a layer of the base in name and shape. PEFT ignores those that do not."""
    inner = model.base_model.model if hasattr(model, "peft_config") else model
    places = dict(inner.named_modules())
    with safe_open(adapter.weights, framework="pt") as file:
        for name in file.keys():  # noqa: SIM118
            where, _, side = name.removeprefix(PREFIX).partition(".lora_")
            if side not in ("A.weight", "B.weight"):
                continue
            place = places.get(where)
            shape = file.get_slice(name).get_shape()
            # The weight itself may be packed.
            wide, high = getattr(place, "in_features", None), getattr(place, "out_features", None)
            fits = shape[1] == wide if side[0] == "A" else shape[0] == high
            if not fits:
                raise _misfit(adapter, f"its “{where}” has no counterpart there of the same size")


def _adapted(model: Any, adapter: AdapterFolder, *, name: str, device: str) -> Any:
    """Add the adapter in the base's own precision: PEFT would make it 32 bits, for training."""
    from peft import PeftModel

    settings = {"adapter_name": name, "torch_device": device, "autocast_adapter_dtype": False}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # peft still calls transformers by its old names
            if not isinstance(model, PeftModel):
                return PeftModel.from_pretrained(model, adapter.folder, is_trainable=False, **settings)
            model.load_adapter(adapter.folder, is_trainable=False, **settings)
    except (OSError, ValueError, KeyError, RuntimeError, TypeError) as error:
        raise _misfit(adapter, str(error)) from error
    return model


def _try(network: LlamaNetwork, adapters: Mapping[str, AdapterFolder], probe: Sequence[int]) -> None:
    """Check that the base gives numbers, and that every adapter gives different ones."""
    plain = _chances(network, None, probe)
    if not plain.isfinite().all():
        raise GeneratorUnavailable(
            "The base model's output is not a number.",
            remedy="Copy the model again: its weights are damaged.",
        )
    for name, adapter in adapters.items():
        adapted = _chances(network, name, probe)
        if not adapted.isfinite().all() or torch.equal(plain, adapted):
            raise GeneratorUnavailable(
                f"The adapter “{adapter.folder}” changes nothing in what the base answers: "
                "it is empty, or not for this base.",
                remedy="Train it (`bookworm train lora`), or take it out of the settings.",
            )
    network.select(None)


def _chances(network: LlamaNetwork, adapter: str | None, probe: Sequence[int]) -> torch.Tensor:
    network.select(adapter)
    read = network.read(probe)
    assert read is not None
    return read[0]


def _misfit(adapter: AdapterFolder, why: str) -> GeneratorUnavailable:
    trained = adapter.config.get("base_model_name_or_path") or "another base"
    return GeneratorUnavailable(
        f"The adapter “{adapter.folder}” is not for this base ({why}): it was trained on “{trained}”.",
        remedy="Give the base it was trained on, or another adapter.",
    )
