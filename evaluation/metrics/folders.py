"""Load models from local folders in the format of `transformers`.

Nothing is downloaded, and no code in them is run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from books.digests import file_sha256
from coref.native.pretrained import load_pretrained
from evaluation.metrics.errors import MetricUnavailable

if TYPE_CHECKING:
    from torch import Tensor

_WEIGHTS = "*.safetensors"
_LONGEST = 512
"""Maximum pieces in one window: more are little help, and the cost of attention is quadratic."""
_BATCH_CPU, _BATCH_GPU = 1_024, 32_768
"""Pieces per batch, with padding: on a processor the working set of a layer then stays in the caches."""
Column = list[list[int]]


@dataclass(frozen=True)
class LoadedModel:
    """A model and its tokenizer, in 32 bits: a measurement must not depend on the machine."""

    model: Any
    tokenizer: Any
    name: str
    """The folder's name, with a hash of the weights."""

    @cached_property
    def longest(self) -> int:
        """Return the maximum length; some models count their positions from 2."""
        positions = getattr(self.model.config, "max_position_embeddings", None) or _LONGEST
        info = min(int(self.tokenizer.model_max_length), _LONGEST)
        return min(info, max(positions - 2, 1)) if info > positions - 2 else info

    def batches(self, columns: dict[str, Column]) -> Iterator[tuple[list[int], dict[str, Tensor]]]:
        """Yield batches of the tokenizer's windows, longest first: their numbers, and the model's input."""
        import torch

        sizes = [len(row) for row in columns["input_ids"]]
        order = sorted(range(len(sizes)), key=lambda at: -sizes[at])
        most = _BATCH_GPU if self.model.device.type == "cuda" else _BATCH_CPU
        fill = {"input_ids": self.tokenizer.pad_token_id or 0}
        done = 0
        while done < len(order):
            width = sizes[order[done]]
            rows = order[done : done + max(1, most // width)]
            yield (
                rows,
                {
                    name: torch.tensor(
                        [[*column[row], *[fill.get(name, 0)] * (width - sizes[row])] for row in rows],
                        device=self.model.device,
                    )
                    for name, column in columns.items()
                },
            )
            done += len(rows)


def load(kind: str, folder: Path, *, remedy: str) -> LoadedModel:
    """Load a model; `kind` is a class of `transformers` that detects what a folder holds."""
    if not folder.is_dir() or not any(folder.glob(_WEIGHTS)):
        raise MetricUnavailable(f"`{folder}` is not a folder with a model's safetensors.", remedy=remedy)
    model, tokenizer = load_pretrained(kind, folder, refusal=partial(MetricUnavailable, remedy=remedy))
    return LoadedModel(model, tokenizer, f"{folder.name}/{fingerprint(folder)}")


def fingerprint(folder: Path) -> str:
    """Hash all weights of a folder."""
    parts: Sequence[str] = [file_sha256(path) for path in sorted(folder.glob(_WEIGHTS))]
    return (parts[0] if len(parts) == 1 else hashlib.sha256("".join(parts).encode()).hexdigest())[:16]
