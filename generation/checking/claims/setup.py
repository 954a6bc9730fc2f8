"""All that the extractors are given; what is heavy comes when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from coref.protocols import ParsesText
from generation.checking.claims.bundled_parser import native
from generation.models.types import WriterSetup


@dataclass(frozen=True, slots=True)
class ExtractorSetup:
    parser: Callable[[], ParsesText] = native
    """Gives whoever tells the grammar of texts."""
    writer: str = "openai"
    """Whose language model `llm` asks."""
    writers: WriterSetup = field(default_factory=WriterSetup)
