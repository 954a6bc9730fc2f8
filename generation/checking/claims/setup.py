"""The settings of the extractors. Heavy objects are created when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from coref.protocols import ParsesText
from generation.checking.claims.bundled_parser import native
from generation.models.types import WriterSetup


@dataclass(frozen=True, slots=True)
class ExtractorSetup:
    parser: Callable[[], ParsesText] = native
    """Returns the parser of texts."""
    writer: str = "openai"
    """The writer whose language model `llm` asks."""
    writers: WriterSetup = field(default_factory=WriterSetup)
