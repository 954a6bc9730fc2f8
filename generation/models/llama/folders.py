"""Find the local files of a base model and its adapters, and name them by content.

Nothing is downloaded: a hub id stands for what an earlier download left in the hub's cache.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from books.digests import file_sha256
from generation.errors import GeneratorUnavailable
from generation.types import Task

DEFAULT = "default"
WEIGHTS = "*.safetensors"
INDEX = "model.safetensors.index.json"
TOKENIZERS = ("tokenizer.json", "tokenizer.model")
TEMPLATE = "chat_template.jinja"
MANIFEST = "manifest.json"
WORDS = ("config.json", "generation_config.json", *TOKENIZERS, "tokenizer_config.json", TEMPLATE)
"""Files that affect a base's answers besides its weights."""
_hashing = threading.Lock()


@dataclass(frozen=True, slots=True)
class BaseFolder:
    folder: Path
    weights: tuple[Path, ...]
    config: dict[str, Any]

    @property
    def files(self) -> tuple[Path, ...]:
        return (*self.weights, *(path for name in WORDS if (path := self.folder / name).is_file()))


@dataclass(frozen=True, slots=True)
class AdapterFolder:
    folder: Path
    weights: Path
    config: dict[str, Any]

    @property
    def template(self) -> str | None:
        """The chat template that it was trained with, if it has one."""
        path = self.folder / TEMPLATE
        return path.read_text("utf-8") if path.is_file() else None

    @property
    def trained_on(self) -> str | None:
        """Hash of the base model, if its training recorded it."""
        return self._recorded("base", "sha256")

    @property
    def rope(self) -> str | None:
        """How positions were scaled in its training, if that is recorded."""
        return self._recorded("recipe", "rope")

    def _recorded(self, part: str, name: str) -> str | None:
        path = self.folder / MANIFEST
        told = _json(path).get(part) if path.is_file() else None
        found = told.get(name) if isinstance(told, dict) else None
        return found if isinstance(found, str) else None

    @property
    def files(self) -> tuple[Path, ...]:
        kept = (self.weights, self.folder / "adapter_config.json", self.folder / TEMPLATE)
        return tuple(path for path in kept if path.is_file())


def find_base(named: str | None) -> BaseFolder:
    """Return the base in this folder or with this hub id. `GeneratorUnavailable` says what it lacks."""
    if not named:
        raise GeneratorUnavailable(
            "`llama` has no base model.",
            remedy="Set BOOKWORM_LLAMA_BASE to the folder of a Llama-3-Instruct model.",
        )
    folder = Path(named).expanduser()
    if not folder.is_dir():
        folder = _snapshot(named)
    if not (folder / "config.json").is_file():
        if (folder / "adapter_config.json").is_file():
            raise _lacking(
                folder, "is an adapter and not a base model", "Give it as an adapter, with its base."
            )
        raise _lacking(folder, "has no config.json", "Give the folder that `save_pretrained` wrote.")
    weights = _weights(folder)
    if not any((folder / name).is_file() for name in TOKENIZERS):
        raise _lacking(
            folder, "has no tokenizer", "Copy tokenizer.json and tokenizer_config.json beside the weights."
        )
    return BaseFolder(folder.resolve(), weights, _json(folder / "config.json"))


def find_adapters(folders: Mapping[str, Path]) -> dict[str, AdapterFolder]:
    """Return the adapters by task, in the order given."""
    known = {*Task, DEFAULT}
    if unknown := sorted(set(folders) - known):
        raise GeneratorUnavailable(
            f"There is no task “{unknown[0]}” for an adapter.",
            remedy=f"Name adapters by {', '.join(sorted(known))}.",
        )
    return {task: _adapter(Path(folder).expanduser()) for task, folder in folders.items()}


def name_of(base: BaseFolder, adapters: Mapping[str, AdapterFolder]) -> str:
    """Return a name that distinguishes any two sets of weights, because answers are cached under it.

    Every byte is hashed: a sample would miss a layer that was trained on. A core hashes 0.6 GB a second, and
    four files are hashed at a time: seconds for eight billion weights, once a process while files stay.
    """
    with _hashing:
        parts = [f"{task}={digest(adapters[task].files)[:12]}" for task in sorted(adapters)]
        return "+".join((f"llama/1:{digest(base.files)[:12]}", *parts))


def expect_trained_on(
    base: BaseFolder, adapters: Mapping[str, AdapterFolder], *, rope: str | None = None
) -> None:
    """Check the base and the positions of each adapter, which only adapters trained here record."""
    for adapter in adapters.values():
        if (trained := adapter.trained_on) and not trained.startswith(digest(base.files)[:12]):
            raise _lacking(
                adapter.folder,
                f"was trained on a different base than “{base.folder}”, or on other files of it",
                "Give the base that its manifest.json names, as it was then, or train it again.",
            )
        if adapter.rope and adapter.rope != rope:
            raise _lacking(
                adapter.folder,
                f"was trained with positions scaled by `{adapter.rope}`",
                f"Set BOOKWORM_LLAMA_ROPE={adapter.rope}.",
            )


def digest(files: Iterable[Path]) -> str:
    """Hash the files' names and contents. Several are read at a time."""
    ordered = sorted(files, key=lambda path: path.name)
    with ThreadPoolExecutor(max_workers=4) as readers:
        digests = list(readers.map(file_sha256, ordered))
    lines = (f"{path.name} {digest}\n" for path, digest in zip(ordered, digests, strict=True))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _snapshot(named: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(named, local_files_only=True))
    except (HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise GeneratorUnavailable(
            f"There is no folder “{named}” on this machine, and no downloaded model of this name either.",
            remedy="Give the folder of a model, or run `hf download` first: nothing is downloaded.",
        ) from error


def _weights(folder: Path) -> tuple[Path, ...]:
    if not (folder / INDEX).is_file():
        found = sorted(folder.glob(WEIGHTS))
        if not found:
            raise _lacking(folder, "has no weights in safetensors", "Convert them with `save_pretrained`.")
        return tuple(found)
    names = sorted(set(_json(folder / INDEX)["weight_map"].values()))
    if missing := [name for name in names if not (folder / name).is_file()]:
        raise _lacking(
            folder,
            f"lacks {len(missing)} of its {len(names)} weight files",
            "Download or copy the model again.",
        )
    return tuple(folder / name for name in names)


def _adapter(folder: Path) -> AdapterFolder:
    path, weights = folder / "adapter_config.json", folder / "adapter_model.safetensors"
    if not path.is_file():
        raise _lacking(
            folder, "is not a LoRA adapter: it has no adapter_config.json", "See `bookworm train lora`."
        )
    if not weights.is_file():
        raise _lacking(folder, "has no adapter_model.safetensors", "Finish its training, or copy it again.")
    config = _json(path)
    if config.get("peft_type") != "LORA":
        raise _lacking(
            folder, f"is an adapter of kind {config.get('peft_type')}", "Only LoRA adapters are served."
        )
    return AdapterFolder(folder.resolve(), weights.resolve(), config)


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _lacking(path, "can't be read", "Copy the model again.") from error
    if not isinstance(found, dict):
        raise _lacking(path, "is not a JSON object", "Copy the model again.")
    return found


def _lacking(path: Path, what: str, remedy: str) -> GeneratorUnavailable:
    return GeneratorUnavailable(f"“{path}” {what}.", remedy=remedy)
