"""Decode tokens as they arrive, only whole characters, because a character may take several tokens."""

from __future__ import annotations

from typing import Any

TORN = "\ufffd"
"""Stands for bytes that are no character, or not yet."""


class TokenText:
    """The text so far. The last tokens are decoded each time: some decoders look at neighbours."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._ids: list[int] = []
        self._before = 0
        self._told = 0
        self._texts: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def push(self, token: int) -> str:
        """Return the text that the token adds, or "" while a character is incomplete."""
        self._ids.append(token)
        return self._tell(whole=False)

    def rest(self) -> str:
        """Return the text that was held back, valid or not, at the end."""
        return self._tell(whole=True)

    def _tell(self, *, whole: bool) -> str:
        known = self._decoded(self._ids[self._before : self._told])
        new = self._decoded(self._ids[self._before :])
        if len(new) <= len(known) or (new.endswith(TORN) and not whole):
            return ""
        self._before, self._told = self._told, len(self._ids)
        self._texts.append(new[len(known) :])
        return self._texts[-1]

    def _decoded(self, ids: list[int]) -> str:
        return str(self._tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False))
