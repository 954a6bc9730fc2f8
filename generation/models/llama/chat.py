"""Messages as tokens. What a message says is always plain text: a book that holds `<|eot_id|>` ends nothing.

transformers can do the like since one of its late versions; here it holds for every version, and for every
special token. The template is filled in with marks in place of the messages. Its special tokens are then cut
out of it, and what lies between them is encoded as plain text, marks replaced: the very tokens that encoding
the whole would give, for no tokenizer looks across a special token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from jinja2 import TemplateError

from generation.errors import GeneratorUnavailable
from generation.models.types import Message

MARK = "\ue000{}\ue001"
MARKED = re.compile("\ue000([0-9]+)\ue001")
DATE = "26 Jul 2024"
"""What Llama's templates take for today where nobody tells: the day must not change the prompt."""


class Chat:
    """One chat template of a tokenizer."""

    def __init__(self, tokenizer: Any, template: str) -> None:
        self._tokenizer = tokenizer
        self.template = template
        special = sorted((str(token) for token in _special(tokenizer)), key=len, reverse=True)
        self._special = re.compile("({})".format("|".join(map(re.escape, special)))) if special else None

    def encode(self, messages: Sequence[Message], *, reply: bool = True) -> list[int]:
        """With the head of the answer that is now due, unless not `reply`."""
        ids: list[int] = []
        plain = ""
        for text, special in self._stretches(messages, reply=reply):
            if not special:
                plain += text
                continue
            ids += encode_plain(self._tokenizer, plain)
            ids.append(self._tokenizer.convert_tokens_to_ids(text))
            plain = ""
        return ids + encode_plain(self._tokenizer, plain)

    def _stretches(self, messages: Sequence[Message], *, reply: bool) -> Iterator[tuple[str, bool]]:
        """Text and whether it is a special token of the template."""
        for at, part in enumerate(MARKED.split(self._filled(messages, reply=reply))):
            if at % 2:
                yield messages[int(part)].content.strip(), False
            elif self._special is None:
                yield part, False
            else:
                for place, text in enumerate(self._special.split(part)):
                    yield text, place % 2 == 1

    def _filled(self, messages: Sequence[Message], *, reply: bool) -> str:
        marked = [
            {"role": str(message.role), "content": MARK.format(at)} for at, message in enumerate(messages)
        ]
        try:
            return str(
                self._tokenizer.apply_chat_template(
                    marked,
                    chat_template=self.template,
                    tokenize=False,
                    add_generation_prompt=reply,
                    date_string=DATE,
                )
            )
        except TemplateError as error:
            raise GeneratorUnavailable(
                f"The model's chat template refuses the messages: {error}.",
                remedy="Use an instruct model whose template knows system messages, such as Llama 3's.",
            ) from error


def encode_plain(tokenizer: Any, text: str) -> list[int]:
    """Without beginning or end, and without special tokens, whatever the text holds."""
    if not text:
        return []
    return list(tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True))


def _special(tokenizer: Any) -> list[Any]:
    return [token for token in tokenizer.added_tokens_decoder.values() if token.special]
