"""A test double of a language model: it answers from a script, or with quotations of the passages shown.

Without a script its answers are deterministic, cite what they quote and follow the template, so that the
whole service can be tested and shown without weights. It understands nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from time import perf_counter

from generation.errors import WritingCancelled
from generation.models.protocols import Listener
from generation.models.types import Completion, CompletionRequest, Finish, Message
from generation.types import Task, Usage

NAME = "scripted-model/1"
CONTEXT = 8192
_TOKEN = re.compile(r"\w+|[^\w\s]")
_PER_MESSAGE = 4
"""Tokens that a chat template adds around a message."""
_PASSAGE = re.compile(r"^\[(?P<number>\d+)\] \(chapter (?P<chapter>\d+)[^)]*\) (?P<text>.+)$", re.MULTILINE)
_PART = re.compile(r"^Stretch \d+: (?P<text>.+)$", re.MULTILINE)
_HEADING = re.compile(r"^## .+$", re.MULTILINE)
_CITED = re.compile(r"[^.]+\[[\d, ]+\]\.")
_QUOTED_WORDS = 8
"""Few, since an answer that copies the book is rejected."""
_WORDS_A_SENTENCE = 15
_FORMS = (
    "Early on, in chapter {chapter}, stands “{text}” [{number}].",
    "Chapter {chapter} has “{text}” [{number}].",
    "One reads “{text}” in chapter {chapter} [{number}].",
    "The words “{text}” are from chapter {chapter} [{number}].",
    "“{text}”, says chapter {chapter} [{number}].",
    "As chapter {chapter} has it, “{text}” [{number}].",
)
_NOTHING = "The evidence is insufficient: no passage says anything of this."
_SEPARATE = "\n\n"


class ScriptedModel:
    """Answers with `script`, one by one in the order of the requests, and then from passages."""

    name = NAME

    def __init__(self, script: Sequence[str | Completion] = (), *, context: int = CONTEXT) -> None:
        self._script = list(script)
        self.context = context
        self.asked: list[list[CompletionRequest]] = []
        """Every call's requests, for tests."""

    def count_tokens(self, text: str) -> int:
        return len(_TOKEN.findall(text))

    def count_prompt(self, messages: Sequence[Message]) -> int:
        return sum(self.count_tokens(m.content) + _PER_MESSAGE for m in messages)

    def complete(
        self, requests: Sequence[CompletionRequest], *, listener: Listener | None = None
    ) -> list[Completion]:
        self.asked.append(list(requests))
        made: list[Completion] = []
        for at, request in enumerate(requests):
            start = perf_counter()
            said = self._script.pop(0) if self._script else compose(request)
            text, finish = (said, Finish.STOP) if isinstance(said, str) else (said.text, said.finish)
            if self.count_tokens(text) > request.max_tokens:
                text, finish = self._cut(text, request.max_tokens), Finish.LENGTH
            usage = Usage(
                self.count_prompt(request.messages), self.count_tokens(text), 1, perf_counter() - start
            )
            made.append(Completion(text, finish, usage))
            if listener is not None:
                _speak(at, text, listener)
                listener.done(at, made[-1])
        return made

    def _cut(self, text: str, tokens: int) -> str:
        ends = [match.end() for match in _TOKEN.finditer(text)]
        return text[: ends[tokens - 1]] if tokens else ""


def _speak(at: int, text: str, listener: Listener) -> None:
    for piece in re.findall(r"\s*\S+\s*$|\s*\S+", text):
        if listener.gone():
            raise WritingCancelled
        listener.hear(at, piece)


def compose(request: CompletionRequest) -> str:
    """Return an answer of cited quotations in the requested template."""
    content = request.messages[-1].content
    found = list(_sentences(content, request.seed))
    headings = _HEADING.findall(content) if request.task is not Task.DESCRIPTION else []
    most = max(1, request.max_tokens // (3 * _WORDS_A_SENTENCE * (len(headings) or 1)))
    if request.task is Task.JOINT:
        return _SEPARATE.join(f"{h}\n{_joined(_naming(h, found)[:most])}" for h in headings)
    each = max(1, min(most, len(found) // (len(headings) or 1)))
    shares = [found[at : at + each] for at in range(0, len(found), each)] or [[]]
    if not headings:
        return _joined(shares[0])
    return _SEPARATE.join(f"{h}\n{_joined(share)}" for h, share in zip(headings, shares, strict=False))


def _naming(heading: str, found: Sequence[str]) -> list[str]:
    """Return the sentences that contain a word of the name."""
    words = set(heading.split()[1:])
    return [sentence for sentence in found if words & set(re.findall(r"[\w.]+", sentence))]


def _joined(sentences: Sequence[str]) -> str:
    return " ".join(sentences or [_NOTHING])


def _sentences(content: str, seed: int) -> Iterator[str]:
    parts = [s.strip() for part in _PART.finditer(content) for s in _CITED.findall(part["text"])]
    if parts:
        yield from parts
        return
    for at, match in enumerate(_PASSAGE.finditer(content), start=seed):
        words = re.findall(r"[\w’'-]+", match["text"])[:_QUOTED_WORDS]
        form = _FORMS[at % len(_FORMS)]
        yield form.format(text=" ".join(words), chapter=match["chapter"], number=match["number"])
