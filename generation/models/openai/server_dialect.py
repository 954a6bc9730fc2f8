"""Habits of a server and its model: what it does not understand, learnt from refusals, and how it thinks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from generation.models.types import CompletionRequest, Message, MessageRole, OpenAISetup

REFUSING = (400, 422)
"""Bad request, and the status of JSON validators."""


class DialectWord(Enum):
    """What can be left out or said differently, with a pattern for refusals of it, by precedence."""

    USAGE = r"stream_options|include_usage"
    LIMIT = r"\bmax_tokens\b"
    """The alternative is `max_completion_tokens`."""
    SEED = r"\bseed\b"
    TEMPERATURE = r"\btemperature\b"
    SYSTEM = r"system.?role|role.{0,40}\bsystem\b|only user.{0,20}assistant"
    """Some templates have no such role. Then its content begins the user's message."""
    SCHEMA = r"response_format|json_schema|guided|grammar"
    REASONING = r"reasoning_effort|\breasoning\b|chat_template_kwargs|enable_thinking"
    STREAM = r"\bstream(ing|ed)?\b"


_BLAMED = {word: re.compile(word.value, re.I) for word in DialectWord}


@dataclass(frozen=True, slots=True)
class Dialect:
    lacks: frozenset[DialectWord] = frozenset()
    thinks: bool = False
    """Whether the model thinks before it answers, and needs room for it."""
    only_closes: bool = False
    """Whether only the end of its thinking is in the text, because the template begins it in the prompt."""

    def without(self, word: DialectWord) -> Dialect:
        return replace(self, lacks=self.lacks | {word})

    def body(
        self, request: CompletionRequest, *, model: str, stream: bool, setup: OpenAISetup, room: int = 0
    ) -> dict[str, Any]:
        """Return the body. `room` is the number of tokens for thinking, beside those of the answer."""
        messages = _without_system(request.messages) if DialectWord.SYSTEM in self.lacks else request.messages
        limit = "max_completion_tokens" if DialectWord.LIMIT in self.lacks else "max_tokens"
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": m.role.value, "content": m.content} for m in messages],
            limit: request.max_tokens + room,
        }
        if request.schema is not None and DialectWord.SCHEMA not in self.lacks:
            asked = {"name": "answer", "schema": request.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": asked}
        if setup.reasoning and DialectWord.REASONING not in self.lacks:
            body["reasoning_effort"] = setup.reasoning
            body["extra_body"] = {"chat_template_kwargs": {"enable_thinking": setup.reasoning != "none"}}
        if DialectWord.TEMPERATURE not in self.lacks:
            body["temperature"] = request.temperature
        if DialectWord.SEED not in self.lacks:
            body["seed"] = request.seed
        if stream and DialectWord.USAGE not in self.lacks:
            body["stream_options"] = {"include_usage": True}
        if setup.extra:
            body["extra_body"] = {**body.get("extra_body", {}), **setup.extra}
        return body

    def blamed(self, refusal: str) -> DialectWord | None:
        """Return what the refusal is about, or None if it is nothing that can be said differently."""
        return next((w for w in DialectWord if w not in self.lacks and _BLAMED[w].search(refusal)), None)


def _without_system(messages: Sequence[Message]) -> list[Message]:
    said = [m.content for m in messages if m.role is MessageRole.SYSTEM]
    rest = [m for m in messages if m.role is not MessageRole.SYSTEM]
    if not said:
        return rest
    first = rest[0] if rest else Message(MessageRole.USER, "")
    return [Message(first.role, "\n\n".join([*said, first.content]).strip()), *rest[1:]]
