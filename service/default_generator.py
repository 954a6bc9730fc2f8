"""Which generator writes by default: one that is set, chosen, or found on this machine.

With `auto` a language model on this machine is used as soon as its server answers on its usual port. Only
loopback is asked, and the answer is kept for some seconds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from threading import Lock, Thread
from typing import Final

from db.store.errors import writing_told
from generation.models.openai.local_servers import LocalModel, first_model
from generation.models.types import WriterSetup
from service.errors import GeneratorFixed
from service.settings import Settings

AUTO: Final = "auto"
LLAMA, OPENAI, OFFLINE = "llama", "openai", "offline"
FILE: Final = "generator.json"
_FRESH_SECONDS: Final = 30.0


class ChoiceReason(StrEnum):
    SETTINGS = "settings"
    CHOSEN = "chosen"
    """In the pages, or with `bookworm models use`."""
    FOUND = "found"
    """A server on this machine."""
    NOTHING = "nothing"
    """There is no language model."""


@dataclass(frozen=True, slots=True)
class DefaultGenerator:
    name: str
    """As it is registered."""
    reason: ChoiceReason
    url: str | None = None
    model: str | None = None

    def uses(self, model: LocalModel) -> bool:
        """Whether this model writes. Without a name it is the only one of the server."""
        return model.url == self.url and self.model in (model.model, None)


class GeneratorRule:
    def __init__(self, settings: Settings, *, find: Callable[..., LocalModel | None] = first_model) -> None:
        self._settings = settings
        self._find = find
        self._file = settings.data_dir / FILE
        self._lock = Lock()
        self._looking = Lock()
        self._found: tuple[float, LocalModel | None] | None = None
        self.own_port: int | None = None
        """On which this process listens."""

    def current(self) -> DefaultGenerator:
        settings = self._settings
        server = DefaultGenerator(OPENAI, ChoiceReason.SETTINGS, settings.openai_url, settings.openai_model)
        if self.fixed:
            is_server = settings.generator == OPENAI
            return server if is_server else DefaultGenerator(settings.generator, ChoiceReason.SETTINGS)
        chosen = _read(self._file)
        if chosen is not None:
            return chosen
        if settings.openai_url is not None:
            return server
        if settings.llama_base is not None:
            return DefaultGenerator(LLAMA, ChoiceReason.SETTINGS)
        near = self._near()
        if near is None:
            return DefaultGenerator(OFFLINE, ChoiceReason.NOTHING)
        return DefaultGenerator(OPENAI, ChoiceReason.FOUND, near.url, near.model)

    def writers(self) -> WriterSetup:
        """Return the setup of the generators, with the server and model of the default one."""
        setup, current = self._settings.writers, self.current()
        if current.url is None or current.reason is ChoiceReason.SETTINGS:
            return setup
        openai = replace(setup.openai, url=current.url, model=current.model, models={})
        if current.url != setup.openai.url:
            # The key and the context are those of the server in the settings, and for nobody else.
            openai = replace(openai, key=None, context=None)
        return replace(setup, openai=openai)

    @property
    def fixed(self) -> bool:
        """Whether the setting decides, so that nothing can be chosen."""
        return self._settings.generator != AUTO

    def refuse_if_fixed(self) -> None:
        if self.fixed:
            raise GeneratorFixed(f"`BOOKWORM_GENERATOR` is `{self._settings.generator}`.")

    def choose(self, name: str | None, *, url: str | None = None, model: str | None = None) -> None:
        """Keep a choice for all processes of this installation; None: go by what is there."""
        self.refuse_if_fixed()
        with writing_told("The data folder"):
            if name is None:
                self._file.unlink(missing_ok=True)
                return
            chosen = DefaultGenerator(name, ChoiceReason.CHOSEN, url, model)
            self._file.parent.mkdir(parents=True, exist_ok=True)
            aside = self._file.with_name(f"{FILE}.new")
            aside.write_text(json.dumps(asdict(chosen), indent=1) + "\n", encoding="utf-8")
            aside.replace(self._file)

    def _near(self) -> LocalModel | None:
        """Return what was found last. Only the first search is waited for, since requests ask for it."""
        with self._lock:
            if self._found is None:
                self._look()
        found = self._found
        assert found is not None
        if time.monotonic() - found[0] > _FRESH_SECONDS and self._looking.acquire(blocking=False):
            Thread(target=self._look_again, daemon=True).start()
        return found[1]

    def _look_again(self) -> None:
        try:
            self._look()
        finally:
            self._looking.release()

    def _look(self) -> None:
        self.note(self._find(own=self.own_port))

    def note(self, near: LocalModel | None) -> None:
        """Remember what was found on this machine just now."""
        self._found = (time.monotonic(), near)


def _read(file: Path) -> DefaultGenerator | None:
    """Return the choice that is kept. A file that cannot be read is no choice."""
    try:
        kept = json.loads(file.read_text("utf-8"))
        name, url, model = (kept[key] for key in ("name", "url", "model"))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return DefaultGenerator(str(name), ChoiceReason.CHOSEN, url, model)
