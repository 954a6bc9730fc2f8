"""The base model of a training: a folder, or a hub id whose files are already on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from safetensors import SafetensorError

from generation.errors import GeneratorUnavailable
from generation.models.llama import folders
from generation.models.llama.quantisation import pass_gradients, settings_for
from generation.models.llama.rope import RopeScaling, scaled
from generation.training.adapter import ready
from generation.training.errors import TrainingImpossible
from generation.training.training_loop import dtype_for
from generation.training.types import Recipe


@dataclass(frozen=True, slots=True)
class TrainingBase:
    name: str
    """As it was given."""
    files: folders.BaseFolder

    def tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(self.files.folder, local_files_only=True)
        # Texts that are too long are handled here, so no warning is needed.
        tokenizer.deprecation_warnings["sequence-length-is-longer-than-the-specified-maximum"] = True
        if not tokenizer.chat_template:
            raise TrainingImpossible(
                f"The tokenizer of “{self.name}” has no chat template.", remedy="Give an instruction model."
            )
        return tokenizer

    def context(self, rope: str | None = None) -> int | None:
        """Tokens that it can read with such a scaling, or None if its config does not say."""
        most = self.files.config.get("max_position_embeddings")
        return int(self._config(rope).max_position_embeddings) if most else None

    def sha256(self) -> str:
        """Hash of the files. It begins like the hash in the name that the writer `llama` gives them."""
        return folders.digest(self.files.files)

    def model(self, recipe: Recipe, device: str) -> Any:
        """Return the model ready to train: with a new adapter, or with all its weights in 32 bits."""
        from transformers import AutoModelForCausalLM
        from transformers.utils import logging

        config = self._config(recipe.rope)
        logging.disable_progress_bar()
        dtype = torch.float32 if recipe.full else dtype_for(recipe.precision, device)
        smaller = quantised(recipe, device)
        try:
            model, told = AutoModelForCausalLM.from_pretrained(
                self.files.folder,
                config=config,
                dtype=dtype,
                quantization_config=smaller,
                device_map=None if smaller is None else {"": device},
                local_files_only=True,
                output_loading_info=True,
            )
        except (OSError, ValueError, RuntimeError, SafetensorError) as error:
            raise TrainingImpossible(f"“{self.name}” can't be loaded: {error}.") from error
        if missing := sorted(told["missing_keys"]):
            raise TrainingImpossible(f"“{self.name}” lacks {len(missing)} weights, such as {missing[0]}.")
        pass_gradients(model)
        return ready(model.to(device) if smaller is None else model, recipe, name=self.name)

    def sketch(self, recipe: Recipe) -> Any:
        """Return the same model without any weights in memory, for counting."""
        from transformers import AutoModelForCausalLM

        config = self._config(recipe.rope)
        with torch.device("meta"):
            return ready(AutoModelForCausalLM.from_config(config), recipe, name=self.name)

    def _config(self, rope: str | None) -> Any:
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(self.files.folder, local_files_only=True)
        return scaled(config, RopeScaling.parse(rope))


def quantised(recipe: Recipe, device: str) -> Any | None:
    """Return the settings to load the base in fewer bits, if the recipe says so; refused if it can't be."""
    if recipe.full and recipe.bits != 16:
        raise TrainingImpossible(
            f"Only an adapter can be trained beside a base in {recipe.bits} bits.",
            remedy="Leave out `--full` or `--bits`.",
        )
    try:
        return settings_for(recipe.bits, device, dtype_for(recipe.precision, device))
    except GeneratorUnavailable as error:
        raise TrainingImpossible(
            error.wording(candid=True).detail,
            remedy='Use `pip install "bookworm[quantised]"` on a machine whose GPU is not by Apple, '
            "or leave out `--bits`.",
        ) from error


def find(name: str) -> TrainingBase:
    """Return the base. Raises `GeneratorUnavailable` if no model has this name, or if it is incomplete."""
    files = folders.find_base(name)
    if files.config.get("is_encoder_decoder"):
        raise TrainingImpossible(f"“{name}” is an encoder-decoder, which no generator can use.")
    return TrainingBase(name, files)
