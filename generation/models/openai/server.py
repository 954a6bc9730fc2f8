"""What a server reports besides answers: its models, their context, and token counts.

Each kind of server reports it in its own way, and most report little. None stands for what is not reported.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from json import dumps
from typing import Any

import httpx2
from openai import OpenAIError

from generation.models.openai.connection import ConnectionFactory, CuttableConnection
from generation.models.openai.response_reading import count_at
from generation.models.openai.server_faults import ServerFault, fault_of, garbage
from generation.models.types import Message

SECONDS = 5.0
"""Total seconds for one such request."""
LOADING_PAUSE = 0.5
"""Seconds between two looks at a server that is loading its model."""
DESKTOP_CONTEXT = 4096
"""The context that Ollama (on a small machine) and LM Studio give a model by default, however much the model
could take. Ollama cuts a longer prompt without notice.
"""
LENGTHS = ("max_model_len", "context_length", "context_window", "max_input_tokens")
"""Fields in which lists of models report the context: vLLM and SGLang, OpenRouter, Groq, Anthropic."""

Told = Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class ContextLength:
    tokens: int
    lasting: bool = True
    """Whether it is permanent, and not only until the model is loaded."""


class TokenizerKind(Enum):
    """The kind of server whose `/tokenize` it is."""

    VLLM = "vllm"
    LLAMA_CPP = "llama.cpp"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ListedModel:
    id: str
    context: int | None = None
    parent: str | None = None
    """The base model, for a LoRA module of vLLM."""


class Server:
    """Queries a server. Every query may raise `httpx2.HTTPError` or `OSError`, and may succeed later."""

    def __init__(self, doorway: ConnectionFactory, *, timeout: float) -> None:
        self._doorway = doorway
        self._seconds = min(SECONDS, timeout)
        self._tokenizer: TokenizerKind | None = None

    def models(self, *, patience: float = 0.0) -> tuple[ListedModel, ...]:
        """Return the models. If there is no list, raise the error to show to the user.

        `patience` is how many seconds a server is waited for that is still loading its model.
        """
        until = time.monotonic() + patience
        while isinstance(outcome := self._list_models(), ServerFault):
            if time.monotonic() >= until or not _loading(outcome):
                raise outcome.error
            time.sleep(LOADING_PAUSE)
        return outcome

    def context(self, model: str) -> ContextLength | None:
        found = self._listed_context(model) or self._llama_cpp_context()
        if found:
            return ContextLength(found)
        return self._lm_studio_context(model) or self._ollama_context(model)

    def count(self, text: str, *, model: str) -> int | None:
        if self._tokenizer is None:
            self._tokenizer = self._find_tokenizer(model)
        if self._tokenizer is TokenizerKind.VLLM:
            asked = {"model": model, "prompt": text, "add_special_tokens": False}
            return count_at(self._ask("/tokenize", asked), "count")
        if self._tokenizer is TokenizerKind.LLAMA_CPP:
            return _length(self._ask("/tokenize", {"content": text}))
        return None

    def count_prompt(self, messages: Sequence[Message], *, model: str) -> int | None:
        if self._tokenizer is None:
            self._tokenizer = self._find_tokenizer(model)
        said = [{"role": m.role.value, "content": m.content} for m in messages]
        if self._tokenizer is TokenizerKind.VLLM:
            asked = {"model": model, "messages": said, "add_generation_prompt": True}
            return count_at(self._ask("/tokenize", asked), "count")
        if self._tokenizer is TokenizerKind.LLAMA_CPP:
            prompt = (self._ask("/apply-template", {"messages": said}) or {}).get("prompt")
            if isinstance(prompt, str):
                return _length(self._ask("/tokenize", {"content": prompt, "add_special": True}))
        return None

    def _find_tokenizer(self, model: str) -> TokenizerKind:
        if count_at(self._ask("/tokenize", {"model": model, "prompt": "Who is she?"}), "count"):
            return TokenizerKind.VLLM
        if _length(self._ask("/tokenize", {"content": "Who is she?"})):
            return TokenizerKind.LLAMA_CPP
        return TokenizerKind.NONE

    def _list_models(self) -> tuple[ListedModel, ...] | ServerFault:
        address = self._doorway.address
        try:
            with (
                CuttableConnection(self._seconds) as wire,
                self._doorway.client(wire, silence=self._seconds) as client,
            ):
                data = client.models.list().to_dict(mode="json", warnings=False).get("data")
        except (OpenAIError, httpx2.HTTPError, OSError) as error:
            return fault_of(error, address)
        except (ValueError, AttributeError, TypeError) as error:
            return garbage(str(error), address)
        if not isinstance(data, list):
            return garbage(dumps(data), address)
        return tuple(_listed(e) for e in data if isinstance(e, dict) and isinstance(e.get("id"), str))

    def _listed_context(self, model: str) -> int | None:
        outcome = self._list_models()
        if isinstance(outcome, ServerFault):
            return None
        by_id = {listed.id: listed for listed in outcome}
        mine = by_id.get(model)
        base = by_id.get(mine.parent) if mine and mine.parent else None
        return (mine.context if mine else None) or (base.context if base else None)

    def _llama_cpp_context(self) -> int | None:
        return count_at(self._ask("/props"), "default_generation_settings", "n_ctx")

    def _lm_studio_context(self, model: str) -> ContextLength | None:
        listed = (self._ask("/api/v0/models") or {}).get("data")
        for one in listed if isinstance(listed, list) else []:
            if isinstance(one, dict) and one.get("id") == model and count_at(one, "max_context_length"):
                loaded = count_at(one, "loaded_context_length")
                return ContextLength(loaded) if loaded else _by_default(count_at(one, "max_context_length"))
        return None

    def _ollama_context(self, model: str) -> ContextLength | None:
        loaded = (self._ask("/api/ps") or {}).get("models")
        for one in loaded if isinstance(loaded, list) else []:
            name = str(one.get("name")) if isinstance(one, dict) else ""
            if model in (name, name.removesuffix(":latest")) and (told := count_at(one, "context_length")):
                return ContextLength(told)
        shown = self._ask("/api/show", {"model": model}) or {}
        info = shown.get("model_info")
        if not isinstance(info, dict):
            return None
        most = count_at(info, f"{info.get('general.architecture')}.context_length")
        set_to = re.search(r"^num_ctx\s+(\d+)", str(shown.get("parameters", "")), re.M)
        if set_to is None:
            return _by_default(most)
        tokens = int(set_to.group(1))
        return ContextLength(min(tokens, most or tokens))

    def _ask(self, path: str, body: Mapping[str, Any] | None = None) -> Told:
        """Get a path, or post to it if there is a body. Return None if the server does not have it."""
        with (
            CuttableConnection(self._seconds) as wire,
            self._doorway.plain(wire, silence=self._seconds) as http,
        ):
            url = self._doorway.address.root + path
            response = http.get(url) if body is None else http.post(url, json=body)
        if response.status_code in (408, 429) or response.status_code >= 500:
            raise ConnectionError(f"status {response.status_code}")
        try:
            told = response.json() if response.is_success else None
        except ValueError:
            return None
        return told if isinstance(told, dict) else None


def _listed(entry: Mapping[str, Any]) -> ListedModel:
    lengths = (count_at(entry, name) for name in LENGTHS)
    parent = entry.get("parent")
    return ListedModel(
        entry["id"], next(filter(None, lengths), None), parent if isinstance(parent, str) else None
    )


def _by_default(most: int | None = None) -> ContextLength:
    """Return what a model that is not loaded yet will be given."""
    return ContextLength(min(DESKTOP_CONTEXT, most or DESKTOP_CONTEXT), lasting=False)


def _length(told: Told) -> int | None:
    tokens = (told or {}).get("tokens")
    return len(tokens) if isinstance(tokens, list) else None


def _loading(fault: ServerFault) -> bool:
    """llama.cpp answers every request like this until its model is there."""
    return fault.again and "loading model" in fault.error.wording(candid=True).detail.casefold()
