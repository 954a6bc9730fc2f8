"""Requests of which a notebook may have the answers, and which it keeps as soon as they are answered well."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from generation.models.protocols import Listener, Notebook
from generation.models.types import Completion, CompletionRequest, Finish
from generation.protocols import Audience

Usable = Callable[[Completion], str | None]
"""Returns the text of a completion, cut if need be; None if it is not fit to be used."""


class KeptRequests:
    """A listener that writes every answer into the notebook, and says how many are there."""

    def __init__(
        self,
        model: str,
        requests: Sequence[CompletionRequest],
        notebook: Notebook,
        audience: Audience | None,
        *,
        usable: Sequence[Usable],
        instead: Sequence[CompletionRequest],
        step: tuple[int, int] | None,
    ) -> None:
        """`usable` has one check for each request, `instead` the one that each repeats, or itself.

        `step` says how many texts are written before these, and how many there are.
        """
        self._notebook = notebook
        self._audience = audience
        self._usable = usable
        self._step = step
        self._keys = [key_of(model, request) for request in requests]
        self._instead = [key_of(model, request) for request in instead]
        found = {n: notebook.get(key) for n, key in enumerate(self._keys)}
        self._found = {n: replace(kept, kept=True) for n, kept in found.items() if kept is not None}
        self._asked = [n for n in range(len(requests)) if n not in self._found]
        self.rest = [requests[n] for n in self._asked]
        """The requests that are still to be made."""
        self.listener: Listener | None = None
        """Hears the pieces, too."""
        if self._found:
            self._advance()

    def hear(self, request: int, piece: str) -> None:
        if self.listener is not None:
            self.listener.hear(request, piece)

    def done(self, request: int, completion: Completion) -> None:
        n = self._asked[request]
        text = self._usable[n](completion)
        if text is None:
            self._notebook.put(self._keys[n], completion, fit=False)
        else:  # The next time, the request that this one repeats has the answer already.
            kept = replace(completion, text=text, finish=Finish.STOP, fit=True)
            self._notebook.put(self._instead[n], kept, fit=True)
        self._found[n] = completion
        self._advance()

    def _advance(self) -> None:
        if self._audience is not None and self._step is not None:
            before, texts = self._step
            self._audience.advance(before + len(self._found), texts)

    def gone(self) -> bool:
        return self._audience is not None and self._audience.gone()

    def completions(self) -> list[Completion]:
        """Return all answers, in the order of the requests."""
        return [self._found[n] for n in range(len(self._keys))]


def key_of(model: str, request: CompletionRequest) -> str:
    """Return the hash of everything that determines a completion."""
    told = [
        model,
        request.task,
        request.max_tokens,
        request.temperature,
        request.seed,
        request.schema,
        *((message.role, message.content) for message in request.messages),
    ]
    return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()
