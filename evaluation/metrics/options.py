"""The options of metrics."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from generation.models.protocols import LanguageModel


@dataclass(frozen=True, slots=True)
class Options:
    """Folders hold models in the format of `transformers`; nothing is ever downloaded."""

    encoder: Path | None = None
    """The encoder of `bertscore`; None for the one that comes with Bookworm."""
    layer: int | None = None
    """The encoder's layer, counted from 1 (0 is its embeddings); None for the last."""
    idf: bool = False
    """Whether `bertscore` gives a higher weight to tokens that few references have."""
    reader: Path | None = None
    """The reader that answers the questions of `qa`; None uses `model`."""
    nli: Path | None = None
    """The model that tells `nli` whether a paragraph entails a sentence."""
    paragraphs: int = 32
    """The number of paragraphs of the book that `nli` tests for each sentence."""
    model: LanguageModel | None = None
    """The model that writes the questions of `qa`."""
    seed: int = 0
    """The seed of the language model's requests."""
