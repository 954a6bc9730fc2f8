"""Read a server's response: the text, why it ended, and its cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from openai import OpenAI, Stream
from openai.types.chat import ChatCompletionChunk

from generation.errors import ModelServerFailed
from generation.models.types import Finish

FINISHES = {"stop": Finish.STOP, "eos": Finish.STOP, "eos_token": Finish.STOP, "length": Finish.LENGTH}
WITHHELD = "content_filter"
LARGEST = 4_000_000
"""Characters: no answer of ours is longer, whatever a server goes on sending."""


class Garbled(Exception):
    """The response is no completion. The message is the response."""


class BrokenOff(Exception):
    """The response ended before the answer was complete."""


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    text: str
    finish: Finish
    prompt_tokens: int | None
    completion_tokens: int | None


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
    return _answer(text if isinstance(text, str) else "", choice.get("finish_reason"), _at(sent, "usage"))


def read_stream(client: OpenAI, body: dict[str, Any], hear: Callable[[str], None]) -> ServerAnswer:
    stream: Stream[ChatCompletionChunk] = client.chat.completions.create(**body, stream=True)
    with stream:
        return _gather(_sent(stream), hear)


def _sent(stream: Stream[ChatCompletionChunk]) -> Iterable[Any]:
    try:
        for chunk in stream:
            yield chunk.to_dict(mode="json", warnings=False)
    except (ValueError, AttributeError, TypeError) as error:
        raise Garbled(str(error)) from None


def _gather(sent: Iterable[Any], hear: Callable[[str], None]) -> ServerAnswer:
    pieces: list[str] = []
    length, finish, usage, seen = 0, None, None, False
    for chunk in sent:
        seen = True
        usage = _at(chunk, "usage") or usage
        finish = _at(chunk, "choices", 0, "finish_reason") or finish
        piece = _at(chunk, "choices", 0, "delta", "content")
        if isinstance(piece, str) and piece:
            length += len(piece)
            if length > LARGEST:
                raise Garbled("more text than any answer has")
            pieces.append(piece)
            hear(piece)
    if not seen:
        raise Garbled("an empty stream")
    if finish is None:
        raise BrokenOff
    return _answer("".join(pieces), finish, usage)


def _answer(text: str, finish: object, usage: object) -> ServerAnswer:
    if finish == WITHHELD:
        raise ModelServerFailed(
            "The model server withholds the answer because of its content filter.",
            remedy="Ask for other chapters, or use a server without such a filter.",
        )
    if not isinstance(finish, str) or finish not in FINISHES:
        raise ModelServerFailed(f"The model stopped without an answer: {str(finish)[:40]}.")
    return ServerAnswer(
        text, FINISHES[finish], count_at(usage, "prompt_tokens"), count_at(usage, "completion_tokens")
    )


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
