"""Ask a language model for JSON. A malformed answer is requested once more, and is then a fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from books.errors import BookwormError
from generation.models.answer_tidying import tidy
from generation.models.prompt_files import PromptFiles
from generation.models.protocols import LanguageModel
from generation.models.types import Completion, CompletionRequest, Finish, Message, MessageRole
from generation.types import Usage

PROMPTS = PromptFiles(
    "generation.checking.claims",
    1,
    ("system", "extract", "classify", "repair", "example_question", "example_answer"),
)
T = TypeVar("T")
_SHOWN = 4_000
"""Characters of a bad answer that are shown again."""


class MalformedAnswer(Exception):
    """The answer is malformed. The message fits into "can't be used: …"."""

    def __init__(self, problem: str, *, good: Any = None) -> None:
        """`good` is what can be used of it all the same."""
        super().__init__(problem)
        self.good = good


@dataclass(frozen=True, slots=True)
class JsonAsk(Generic[T]):
    messages: tuple[Message, ...]
    tokens: int
    """Most tokens of the answer."""
    check: Callable[[Any], T]
    """Converts the JSON. Raises `MalformedAnswer`."""
    schema: Mapping[str, Any] | None = None
    """Of the JSON, for servers that can keep to one."""


@dataclass(frozen=True, slots=True)
class JsonAnswer(Generic[T]):
    value: T | None
    fault: str | None
    """Why there is no value, or only a part of one."""


def ask(
    model: LanguageModel, asks: Sequence[JsonAsk[T]], *, seed: int = 0
) -> tuple[list[JsonAnswer[T]], Usage]:
    """Return an answer for each ask. It never fails: any error is the fault of the asks that it affects."""
    if not asks:
        return [], Usage()
    got, said, usage = _once(model, asks, seed)
    again = [at for at, g in enumerate(got) if g.fault is not None and said[at] is not None]
    if again:
        repairs = [_repair(asks[at], str(said[at]), str(got[at].fault)) for at in again]
        second, _, more = _once(model, repairs, seed)
        usage += more
        for at, found in zip(again, second, strict=True):
            if found.value is not None or got[at].value is None:
                got[at] = found
    return got, usage


def _once(
    model: LanguageModel, asks: Sequence[JsonAsk[T]], seed: int
) -> tuple[list[JsonAnswer[T]], list[str | None], Usage]:
    """Ask once. Return also what the model said, if anything."""
    requests = [
        CompletionRequest(a.messages, a.tokens, temperature=0.0, seed=seed, schema=a.schema) for a in asks
    ]
    try:
        completions = model.complete(requests)
    except BookwormError as error:
        return [JsonAnswer(None, error.detail) for _ in asks], [None] * len(asks), Usage()
    if len(completions) != len(asks):
        return [JsonAnswer(None, "the model left answers out") for _ in asks], [None] * len(asks), Usage()
    usage = sum((c.usage for c in completions), Usage())
    return [_read(a, c) for a, c in zip(asks, completions, strict=True)], [c.text for c in completions], usage


def _read(wanted: JsonAsk[T], completion: Completion) -> JsonAnswer[T]:
    try:
        return JsonAnswer(wanted.check(_json(completion)), None)
    except MalformedAnswer as problem:
        return JsonAnswer(problem.good, str(problem))


def _json(completion: Completion) -> Any:
    text = tidy(completion.text)
    start = min((at for at in map(text.find, "{[") if at >= 0), default=-1)
    end = max(map(text.rfind, "}]"))
    if start < 0 or end < start:
        raise MalformedAnswer("it holds no JSON" if text else "it is empty")
    try:
        return json.loads(text[start : end + 1])
    except (ValueError, RecursionError) as error:
        broken = completion.finish is Finish.LENGTH
        raise MalformedAnswer("it breaks off" if broken else "its JSON does not parse") from error


def _repair(wanted: JsonAsk[T], said: str, problem: str) -> JsonAsk[T]:
    answered = Message(MessageRole.ASSISTANT, said[:_SHOWN] or "…")
    once_more = Message(MessageRole.USER, PROMPTS.fill("repair", problem=problem))
    # Without the schema: some servers loop on white space when they have to keep to one.
    return replace(wanted, messages=(*wanted.messages, answered, once_more), schema=None)


def rows_in(answer: Any, name: str) -> list[Any]:
    """Return the rows of a list with this name, or of a list without one."""
    listed = answer.get(name) if isinstance(answer, dict) else answer
    if not isinstance(listed, list):
        raise MalformedAnswer(f"it has no list called “{name}”")
    return listed


def number_in(value: Any) -> int | None:
    """Return a number as models write it: 2, "2", "[2]"."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = value.strip().strip("[]()#. ") if isinstance(value, str) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def schema_of(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with one list of rows."""
    item = {"type": "object", "properties": dict(row), "required": list(row), "additionalProperties": False}
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": item}},
        "required": [name],
        "additionalProperties": False,
    }
