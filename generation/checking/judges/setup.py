"""All that the judges are given; what is heavy comes when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from coref.protocols import ParsesText
from generation.checking.claims.bundled_parser import native
from generation.models.types import WriterSetup

_WRITERS = WriterSetup()


@dataclass(frozen=True, slots=True)
class NliSetup:
    """Which checkpoint `nli` asks, and how."""

    folder: Path | None = None
    """Of a sequence-classification model with its tokenizer."""
    device: str = "auto"
    batch: int = 32
    """Pairs of a passage and a claim that are judged together."""
    threshold: float = 0.5
    """The probability from which a passage bears a claim out."""
    contradiction: float = 0.5
    """The same for contradicting it; it must also be likelier than the other."""


@dataclass(frozen=True, slots=True)
class JudgeSetup:
    parser: Callable[[], ParsesText | None] = native
    """Gives whoever tells the grammar of claims; None where nobody does."""
    nli: NliSetup = NliSetup()
    writer: str = "openai"
    """Whose language model `llm` asks."""
    writers: WriterSetup = _WRITERS
