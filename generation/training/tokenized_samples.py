"""Turn a sample into tokens: the prompt that the service would use, and the answer to learn.

Passages are found for the room that the answer leaves. If all is too long together even so, the least
relevant ones are left out until it fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from generation.answering import default_words
from generation.errors import PromptTooLong
from generation.models.llama.chat import Chat, encode_plain
from generation.models.types import Message, MessageRole
from generation.training.cited_references import cited
from generation.training.types import PlacedSample, TrainingExample, TrainingLesson
from generation.types import Prompt
from generation.writing.answer_sizes import PASSAGES
from generation.writing.message_rendering import MessageSheet
from generation.writing.templating import Templates
from retrieval import sentences

LEAST_ANSWER = 16
"""Fewest tokens of an answer that are worth learning."""
_MARKER = 6
"""Tokens kept free for the citation of a sentence."""

PromptOf = Callable[[PlacedSample, int | None], Prompt]
"""Finds passages of at most so many tokens for a sample."""


class ChatCoder:
    """Encodes the prompt in the tokenizer's chat template, and the answer with its end of turn."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._chat = Chat(tokenizer, tokenizer.chat_template)

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        return self._chat.encode(messages)

    def answer(self, text: str, messages: Sequence[Message]) -> list[int]:
        """Encode the answer as the template does, which often ends a turn with another token than a text."""
        asked = self.prompt(messages)
        told = self._chat.encode([*messages, Message(MessageRole.ASSISTANT, text)], reply=False)
        ids = encode_plain(self._tokenizer, text)
        after = told[len(asked) + len(ids) :]
        if told[: len(asked) + len(ids)] == asked + ids and after and after[0] in self._special:
            return [*ids, after[0]]
        return [*ids, self._tokenizer.eos_token_id]

    def count(self, text: str) -> int:
        return len(encode_plain(self._tokenizer, text))

    @property
    def _special(self) -> set[int]:
        return {at for at, token in self._tokenizer.added_tokens_decoder.items() if token.special}


def lesson_of(
    placed: PlacedSample,
    *,
    coder: ChatCoder,
    templates: Templates,
    prompt_of: PromptOf,
    tokens: int,
    budget: int | None,
) -> TrainingLesson:
    """Return a lesson. `tokens` limits prompt and answer together, `budget` the passages alone if given."""
    bare = _messages(prompt_of(placed, 0), templates, ())
    needed = len(coder.prompt(bare))
    most = tokens - needed
    if most < LEAST_ANSWER:
        raise PromptTooLong(
            f"Line {placed.sample.line}: the instructions alone take {needed:,} of {tokens:,} tokens.",
            remedy="Allow more --tokens.",
        )
    reference = placed.sample.reference
    spare = _MARKER * len(sentences.split(reference)) if templates.numbered else 0
    space = tokens - min(most, len(coder.answer(reference, bare)) + spare)
    free = int(PASSAGES * (space - needed))
    room = free if budget is None else min(budget, free)
    prompt = prompt_of(placed, room)
    ids, numbers = _fitted(prompt, templates, coder, space)
    if templates.numbered:
        reference = cited(reference, prompt, numbers)
    answer = coder.answer(reference, bare)
    left = tokens - len(ids)
    allowed = prompt if budget is not None and budget <= room else prompt_of(placed, budget)
    return TrainingLesson(
        placed,
        characters=tuple(person.id for person in prompt.context.people),
        example=TrainingExample(tuple(ids), tuple(answer[:left])),
        passages=len(numbers),
        left_out=max(0, len(allowed.passages) - len(numbers)),
        cut=len(answer) > left,
    )


def _fitted(
    prompt: Prompt, templates: Templates, coder: ChatCoder, space: int
) -> tuple[list[int], list[int]]:
    numbers = list(range(1, len(prompt.passages) + 1))
    while len(ids := coder.prompt(_messages(prompt, templates, numbers))) > space and numbers:
        numbers.remove(min(numbers, key=lambda n: (prompt.passages[n - 1].score, -n)))
    return ids, numbers


def _messages(prompt: Prompt, templates: Templates, numbers: Sequence[int]) -> tuple[Message, ...]:
    sheet = MessageSheet(prompt, templates)
    task = sheet.task(default_words(prompt.task))
    return sheet.messages(sheet.passages(numbers), task, shown=numbers)
