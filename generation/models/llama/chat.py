"""Messages as tokens. The content of a message is always plain text: a book that contains `<|eot_id|>` ends
nothing.

Recent versions of transformers can do something similar. Here it works with every version and for every
special token. The template is filled with markers in place of the messages. Its special tokens are then cut
out, and the text between them is encoded as plain text with the markers replaced. This gives the very tokens
that encoding the whole would give, because no tokenizer looks across a special token.
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
"""Date that Llama's templates assume if none is given: the day must not change the prompt."""


class Chat:
    """One chat template of a tokenizer."""

    def __init__(self, tokenizer: Any, template: str) -> None:
        self._tokenizer = tokenizer
        self.template = template
        special = sorted((str(token) for token in _special(tokenizer)), key=len, reverse=True)
        self._special = re.compile("({})".format("|".join(map(re.escape, special)))) if special else None

    def encode(self, messages: Sequence[Message], *, reply: bool = True) -> list[int]:
        """Return the tokens of the messages, with the head of the reply unless `reply` is false."""
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
        """Yield pieces of text, each with whether it is a special token of the template."""
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
    """Encode without beginning and end tokens, and without special tokens, whatever the text contains."""
    if not text:
        return []
    return list(tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True))


def _special(tokenizer: Any) -> list[Any]:
    return [token for token in tokenizer.added_tokens_decoder.values() if token.special]
