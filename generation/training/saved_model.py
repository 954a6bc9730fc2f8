"""The result of a training: the adapter or the model in a folder of its own, with its manifest.

The folder has PEFT's files (or the whole model) and the tokenizer with its chat template, and nothing else
that a server would need: no layer is replaced, so vLLM serves an adapter as it is.
"""

from __future__ import annotations

import json
import platform
import shlex
import shutil
from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from books.digests import file_sha256
from generation.models.llama.folders import DEFAULT, MANIFEST
from generation.models.llama.quantisation import NEEDED
from generation.training.types import Recipe, TrainingOutcome
from generation.types import Task

FORMAT = 1
ADAPTER = "adapter"
MODEL = "model"
RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
"""Ranks that vLLM can reserve memory for."""
_PACKAGES = ("bookworm", "torch", "transformers", "peft", "safetensors")


def keep(model: Any, tokenizer: Any, folder: Path, manifest: Mapping[str, Any], recipe: Recipe) -> Path:
    """Save in a temporary folder and move it into place whole. A previous one there is deleted."""
    place = kept_in(folder, recipe)
    aside, former = (place.with_name(f"{place.name}.{word}") for word in ("new", "old"))
    for left in (aside, former):
        shutil.rmtree(left, ignore_errors=True)
    if recipe.full:
        model.save_pretrained(aside)
    else:
        model.save_pretrained(aside, save_embedding_layers=False)
        (aside / "README.md").unlink(missing_ok=True)  # PEFT's template, which nobody has filled in
    tokenizer.save_pretrained(aside)
    files = {path.name: file_sha256(path) for path in sorted(aside.iterdir())}
    told = json.dumps({**manifest, "files": files}, indent=1, ensure_ascii=False)
    (aside / MANIFEST).write_text(told + "\n", encoding="utf-8")
    for path in aside.iterdir():
        path.chmod(0o644)  # some are written readable for the owner only, and servers run as other users
    if place.exists():
        place.replace(former)
    aside.replace(place)
    shutil.rmtree(former, ignore_errors=True)
    return place


def kept_in(folder: Path, recipe: Recipe) -> Path:
    return folder / (MODEL if recipe.full else ADAPTER)


def metrics(outcome: TrainingOutcome) -> dict[str, Any]:
    best = outcome.story.best
    return {
        "steps": outcome.story.step,
        "epochs": [asdict(epoch) for epoch in outcome.story.epochs],
        "kept": None if best is None else best.number,
        "validation_loss": None if best is None else best.validation,
        "test_loss": outcome.test,
        "tokens": sum(point.tokens for point in outcome.points),
        "seconds": round(outcome.story.seconds, 1),
    }


def serving(base: str, folder: Path, recipe: Recipe, *, tasks: Collection[Task]) -> dict[str, str]:
    """Return how to serve it. A model trained on one task serves no other."""
    place = str(kept_in(folder, recipe).absolute())
    if recipe.full:
        return {
            "vllm": shlex.join(["vllm", "serve", place]),
            "bookworm": f"BOOKWORM_LLAMA_BASE={shlex.quote(place)}",
        }
    room = next((rank for rank in RANKS if rank >= recipe.rank), recipe.rank)
    lora = ["--enable-lora", "--max-lora-rank", str(room), "--lora-modules", f"bookworm={place}"]
    bits = "" if recipe.bits == 16 else f"BOOKWORM_LLAMA_BITS={recipe.bits} "
    adapters = shlex.quote(json.dumps({next(iter(tasks)) if len(tasks) == 1 else DEFAULT: place}))
    return {
        "vllm": shlex.join(["vllm", "serve", base, *lora]),
        "bookworm": f"BOOKWORM_LLAMA_BASE={shlex.quote(base)} {bits}BOOKWORM_LLAMA_ADAPTERS={adapters}",
    }


def circumstances(recipe: Recipe) -> dict[str, Any]:
    packages = _PACKAGES if recipe.bits == 16 else (*_PACKAGES, *NEEDED)
    return {
        "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }
