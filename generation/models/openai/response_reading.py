"""Read a server's response: the text, why it ended, and its cost."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from openai import OpenAI, Stream
from openai.types.chat import ChatCompletionChunk

from generation.errors import ModelServerFailed
from generation.models.openai.server_faults import server_failed
from generation.models.thinking import thinks
from generation.models.types import Finish

FINISHES = {"stop": Finish.STOP, "eos": Finish.STOP, "eos_token": Finish.STOP, "length": Finish.LENGTH}
_THINKING = ("reasoning_content", "reasoning", "thinking")
"""Fields beside the text: DeepSeek and vLLM, Ollama and OpenRouter, some others."""
WITHHELD = "content_filter"
LARGEST = 4_000_000
"""Bytes of a whole response: no answer of ours is longer, whatever a server goes on sending."""
LONG_TOKEN = 8
"""Characters. English has four to a token on average."""


class StreamEar(Protocol):
    def begin(self) -> None:
        """The server has begun to answer."""
        ...

    def hear(self, piece: str) -> None: ...

    def think(self) -> None: ...


class Garbled(Exception):
    """The response is no completion. The message is the response."""


class NoStream(Garbled):
    """The server answered, but not with a stream."""


class BrokenOff(Exception):
    """The response ended before the answer was complete."""


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    text: str
    finish: Finish
    prompt_tokens: int | None
    completion_tokens: int | None
    thought: bool = False
    """Whether the server sent the model's thinking apart from the text."""


def read_whole(client: OpenAI, body: dict[str, Any]) -> ServerAnswer:
    with client.chat.completions.with_streaming_response.create(**body) as response:
        raw = bytearray()
        for chunk in response.iter_bytes():
            raw += chunk
            if len(raw) > LARGEST:
                raise Garbled("more text than any answer has")
    try:
        sent = json.loads(raw)
    except ValueError:
        raise Garbled(raw.decode("utf-8", "replace")) from None
    choice = _at(sent, "choices", 0)
    if not isinstance(choice, dict):
        raise Garbled(raw.decode("utf-8", "replace"))
    text = _at(choice, "message", "content")
    thought = _thought(choice, "message")
    finish, usage = choice.get("finish_reason"), _at(sent, "usage")
    return _answer(text if isinstance(text, str) else "", finish, usage, thought=bool(thought))


def read_stream(client: OpenAI, body: dict[str, Any], ear: StreamEar, *, tokens: int) -> ServerAnswer:
    """Return the answer. One that goes on far beyond `tokens` is cut, as the server was told to."""
    stream: Stream[ChatCompletionChunk] = client.chat.completions.create(**body, stream=True)
    with stream:
        return _gather(_sent(stream), ear, most=LONG_TOKEN * tokens)


def _sent(stream: Stream[ChatCompletionChunk]) -> Iterable[Any]:
    try:
        for chunk in stream:
            yield chunk.to_dict(mode="json", warnings=False)
    except (ValueError, AttributeError, TypeError) as error:
        raise Garbled(str(error)) from None


def _gather(sent: Iterable[Any], ear: StreamEar, *, most: int) -> ServerAnswer:
    pieces: list[str] = []
    length, finish, usage, seen, thought = 0, None, None, False, False
    for chunk in sent:
        if not seen:
            ear.begin()
        seen = True
        if thinking := _thought(_at(chunk, "choices", 0), "delta"):
            thought = True
            length += len(thinking)
            ear.think()
        usage = _at(chunk, "usage") or usage
        finish = _at(chunk, "choices", 0, "finish_reason") or finish
        piece = _at(chunk, "choices", 0, "delta", "content")
        if isinstance(piece, str) and piece:
            length += len(piece)
            pieces.append(piece)
            ear.hear(piece)
        if length > most:
            finish = finish or "length"
            break
    if not seen:
        raise NoStream("an empty stream")
    if finish is None:
        raise BrokenOff
    return _answer("".join(pieces), finish, usage, thought=thought)


def _thought(choice: object, part: str) -> str | None:
    """Return the model's thinking, in the field where this server puts it."""
    found = (_at(choice, part, name) for name in _THINKING)
    return next((text for text in found if isinstance(text, str) and text), None)


def _answer(text: str, finish: object, usage: object, *, thought: bool) -> ServerAnswer:
    if finish == WITHHELD:
        raise ModelServerFailed(
            "The model server withholds the answer because of its content filter.",
            remedy="Ask for other chapters, or use a server without such a filter.",
        )
    if not isinstance(finish, str) or finish not in FINISHES:
        plain = "The model stopped without an answer"
        raise server_failed(f"{plain}.", f"{plain}: {str(finish)[:40]}.", remedy=ModelServerFailed.remedy)
    counts = count_at(usage, "prompt_tokens"), count_at(usage, "completion_tokens")
    hidden = count_at(usage, "completion_tokens_details", "reasoning_tokens")
    return ServerAnswer(text, FINISHES[finish], *counts, thought=thought or bool(hidden) or thinks(text))


def count_at(sent: object, *path: str) -> int | None:
    value = _at(sent, *path)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _at(value: Any, *path: str | int) -> Any:
    """Return a value from nested lists and dicts, or None if their structure is different."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        else:
            value = value[step] if isinstance(value, list) and len(value) > step else None
    return value
