"""The model that a training begins with: a folder, or a hub id whose files are on this machine already."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import torch
from safetensors import SafetensorError

from books.digests import file_sha256
from generation.models.llama import folders
from generation.training.adapter import ready
from generation.training.errors import TrainingImpossible
from generation.training.training_loop import dtype_for
from generation.training.types import Arch, Recipe


@dataclass(frozen=True, slots=True)
class TrainingBase:
    name: str
    """As it was given."""
    arch: Arch
    files: folders.BaseFolder

    def tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(self.files.folder, local_files_only=True)
        # What is too long is seen to here, and is nothing to warn of.
        tokenizer.deprecation_warnings["sequence-length-is-longer-than-the-specified-maximum"] = True
        if self.arch is Arch.CAUSAL and not tokenizer.chat_template:
            raise TrainingImpossible(
                f"The tokenizer of “{self.name}” has no chat template.", remedy="Give an instruction model."
            )
        return tokenizer

    def context(self) -> int | None:
        """Tokens that it can read; None for one that knows distances and no places, as T5 and LongT5."""
        most = self.files.config.get("max_position_embeddings")
        return int(most) if most else None

    def sha256(self) -> str:
        """Begins like the hash by which the writer `llama` calls the same files."""
        lines = (f"{f.name} {file_sha256(f)}\n" for f in sorted(self.files.files, key=lambda f: f.name))
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def model(self, recipe: Recipe, device: str) -> Any:
        """Ready to train: with a new adapter, or with all its weights in 32 bits."""
        from transformers.utils import logging

        logging.disable_progress_bar()
        dtype = torch.float32 if recipe.full else dtype_for(recipe.precision, device)
        try:
            model, told = _auto(self.arch).from_pretrained(
                self.files.folder, dtype=dtype, local_files_only=True, output_loading_info=True
            )
        except (OSError, ValueError, RuntimeError, SafetensorError) as error:
            raise TrainingImpossible(f"“{self.name}” does not load: {error}.") from error
        if missing := sorted(told["missing_keys"]):
            raise TrainingImpossible(f"“{self.name}” lacks {len(missing)} weights, such as {missing[0]}.")
        return ready(model.to(device), recipe, name=self.name)

    def sketch(self, recipe: Recipe) -> Any:
        """The same without any weights in memory, for counting."""
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(self.files.folder, local_files_only=True)
        with torch.device("meta"):
            return ready(_auto(self.arch).from_config(config), recipe, name=self.name)


def find(name: str, arch: Arch) -> TrainingBase:
    """Raises `GeneratorUnavailable` where there is no model of this name, or not all of it."""
    files = folders.find_base(name)
    theirs = Arch.SEQ2SEQ if files.config.get("is_encoder_decoder") else Arch.CAUSAL
    if theirs is not arch:
        raise TrainingImpossible(f"“{name}” is of another architecture.", remedy=f"Give --arch {theirs}.")
    return TrainingBase(name, arch, files)


def _auto(arch: Arch) -> Any:
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

    return AutoModelForCausalLM if arch is Arch.CAUSAL else AutoModelForSeq2SeqLM
