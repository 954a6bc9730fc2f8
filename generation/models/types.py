"""Requests to a language model, and its completions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from generation.types import Task, Usage

LEAST_CONTEXT: Final = 1024
"""Tokens, of those that can be asked for."""


class MessageRole(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    role: MessageRole
    content: str


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    messages: tuple[Message, ...]
    max_tokens: int
    task: Task = Task.DESCRIPTION
    """Selects the adapter."""
    temperature: float = 0.4
    seed: int = 0
    schema: Mapping[str, Any] | None = None
    """The JSON schema of the answer, for a server that can keep to one."""


class Finish(StrEnum):
    STOP = "stop"
    """The model ended its answer."""
    LENGTH = "length"
    """It was cut off at `max_tokens` or at the end of the context."""


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    finish: Finish
    usage: Usage
    thought: bool = False
    """Whether the model thought before it answered."""
    kept: bool = False
    """Whether it was written before, so that it costs nothing now."""
    fit: bool = False
    """Whether it was found fit when it was kept, perhaps as the best of two."""


@dataclass(frozen=True, slots=True)
class LlamaSetup:
    """Which weights `llama` serves, and how."""

    base: str | None = None
    """A folder, or a hub id whose files are already on this machine."""
    adapters: Mapping[str, Path] = field(default_factory=dict)
    """Folders of LoRA adapters by task. `default` serves the tasks that have none of their own."""
    device: str = "auto"
    batch: int = 8
    """Requests decoded together."""
    context: int | None = None
    """Tokens, if fewer than the model's own are wanted."""
    enough: int | None = None
    """Tokens of context that no prompt with its answer exceeds, where passages are limited."""
    bits: int = 16
    """Of the linear layers' weights: 16, 8 or 4."""
    rope: str | None = None
    """How positions are scaled for a longer context, such as `yarn:4`; None for as the model was trained."""


@dataclass(frozen=True, slots=True)
class OpenAISetup:
    """Which server `openai` uses, and how long it waits."""

    url: str | None = None
    key: str | None = field(default=None, repr=False)
    model: str | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    """Model names by task, such as vLLM's LoRA modules. Other tasks use `model`."""
    context: int | None = None
    """Tokens; None asks the server."""
    timeout: float = 120.0
    attempts: int = 4
    concurrency: int = 8
    reasoning: str | None = None
    """How much a thinking model is to think: `none`, `low`, …; None leaves it to the server."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of every request."""


class TemplateSet(StrEnum):
    """The sets of prompt templates that come with Bookworm."""

    BOOKWORM = "bookworm"
    SIMPLE = "bookworm-simple"
    """Summaries are asked for in few words, as they are of small models anyway."""
    PAPER = "bookworm-paper"
    """The prompts of the BookWorm paper, for running its experiments. They ask for no citations."""


@dataclass(frozen=True, slots=True)
class WriterSetup:
    """The settings of all writers with a language model."""

    llama: LlamaSetup = LlamaSetup()
    openai: OpenAISetup = OpenAISetup()
    prompts: TemplateSet = TemplateSet.BOOKWORM
    templates: Path | None = None
    """A folder whose templates replace those of the same name that come with Bookworm."""
