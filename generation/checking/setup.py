"""The settings of extractors and judges. Heavy objects are created when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from coref.protocols import ParsesText
from generation.checking.claims.bundled_parser import native
from generation.models.types import WriterSetup

_WRITERS = WriterSetup()


@dataclass(frozen=True, slots=True)
class ExtractorSetup:
    parser: Callable[[], ParsesText] = native
    """Returns the parser of texts."""
    writer: str = "openai"
    """The writer whose language model `llm` asks."""
    writers: WriterSetup = _WRITERS


@dataclass(frozen=True, slots=True)
class NliSetup:
    """Which checkpoint `nli` uses, and how."""

    folder: Path | None = None
    """Folder of a sequence-classification model with its tokenizer."""
    batch: int = 32
    """Pairs of a passage and a claim that are judged together."""
    threshold: float = 0.5
    """Probability from which a passage supports a claim."""
    contradiction: float = 0.5
    """The same for a contradiction, which must also be more likely than support."""


@dataclass(frozen=True, slots=True)
class JudgeSetup:
    nli: NliSetup = NliSetup()
    writer: str = "openai"
    """The writer whose language model `llm` asks."""
    writers: WriterSetup = _WRITERS
