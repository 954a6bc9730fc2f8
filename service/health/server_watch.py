"""Whether the server of a language model works, found out beside the probes, which must be quick."""

from __future__ import annotations

import threading
import time

from generation.errors import GeneratorUnavailable, ModelServerFailed
from generation.models.types import OpenAISetup
from service.health.generators import PATIENCE, check_openai
from service.observability.logs import logger

log = logger("bookworm.health")

NEAR_SECONDS, FAR_SECONDS = 10.0, 60.0
"""How long a result counts, of a server on this machine and of one elsewhere."""
BRIEFLY = 0.3
"""Seconds for which a new result is waited for while there is an older one."""


class ServerWatch:
    def __init__(self, setup: OpenAISetup) -> None:
        self.setup = setup
        self._fresh = NEAR_SECONDS if _is_near(setup) else FAR_SECONDS
        self._lock = threading.Lock()
        self._looking: threading.Thread | None = None
        self._found: tuple[float, str | None] | None = None

    def fault(self) -> str | None:
        """Return the error code of the server, or None if it works."""
        known = self._found
        if known is None or time.monotonic() - known[0] > self._fresh:
            self._look_beside().join(PATIENCE if known is None else BRIEFLY)
        # A server that has not told in time that it works does not, as far as is known.
        return ModelServerFailed.code if self._found is None else self._found[1]

    def _look_beside(self) -> threading.Thread:
        with self._lock:
            if self._looking is None or not self._looking.is_alive():
                self._looking = threading.Thread(target=self._look, daemon=True)
                self._looking.start()
            return self._looking

    def _look(self) -> None:
        try:
            code = check_openai(self.setup, needed=True).code
        except Exception as error:
            # Without a result each probe would wait for the next one.
            log.error("check failed", exc_info=error)
            code = ModelServerFailed.code
        self._found = (time.monotonic(), code)


def _is_near(setup: OpenAISetup) -> bool:
    from generation.models.openai.address import read_address

    try:
        return read_address(setup.url, key=setup.key).local
    except GeneratorUnavailable:
        return True
