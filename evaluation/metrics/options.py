"""What metrics may be given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from generation.models.protocols import LanguageModel


@dataclass(frozen=True, slots=True)
class Options:
    """Folders hold models as `transformers` saves them; nothing is ever fetched."""

    encoder: Path | None = None
    """`bertscore` compares tokens by it; None for the encoder that comes with Bookworm."""
    layer: int | None = None
    """Which of the encoder's layers, counted from 1 (0 are its embeddings); None for the last."""
    idf: bool = False
    """Whether to `bertscore` a token that few references have weighs more."""
    reader: Path | None = None
    """Answers the questions of `qa`; None leaves that to `model`."""
    nli: Path | None = None
    """Says to `nli` whether a paragraph entails a sentence."""
    paragraphs: int = 32
    """Of the book, that `nli` asks about for each sentence."""
    model: LanguageModel | None = None
    """Makes up the questions of `qa`."""
    seed: int = 0
    """Of the language model's requests."""
