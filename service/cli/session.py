"""The state of one run of the command line: the settings, and the services while they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from books.errors import BookwormError
from service.cli import output

if TYPE_CHECKING:
    from service.engines import Engines
    from service.services import Services
    from service.settings import Settings


class SettingsInvalid(BookwormError):
    code = "settings_invalid"
    remedy = "Correct the environment variable. See docs/settings.md for the allowed values."


@dataclass
class Session:
    """Created once per command line and passed in the Typer context."""

    data_dir: Path | None = None
    library: str = "local"
    verbose: bool = False
    overrides: dict[str, object] = field(default_factory=dict)
    """Settings that are overridden by options of the command."""

    @staticmethod
    def of(context: typer.Context) -> Session:
        return context.ensure_object(Session)

    @cached_property
    def settings(self) -> Settings:
        from pydantic import ValidationError

        from service.settings import Settings

        given = dict(self.overrides)
        if self.data_dir is not None:
            given["data_dir"] = self.data_dir.expanduser().absolute()
        try:
            return Settings(**given)  # type: ignore[arg-type]
        except ValidationError as error:
            raise SettingsInvalid("; ".join(_complaint(e) for e in error.errors()) + ".") from error
        except UnicodeDecodeError as error:
            raise SettingsInvalid("The file .env is not in UTF-8.") from error

    def warn_of_misspelt(self) -> None:
        from service.settings import misspelt

        for sentence in misspelt():
            output.warn(sentence)

    @cached_property
    def engines(self) -> Engines:
        """The configured engines, without a library."""
        from service.engines import Engines

        return Engines(self.settings)

    @contextmanager
    def services(self, *, jobs_here: bool = False) -> Iterator[Services]:
        """All services. `jobs_here`: this process runs the ingest jobs."""
        from service.assembly import assembled

        self.log()
        if self.data_dir is not None and not self.settings.data_dir.exists():
            output.tell(f"{self.settings.data_dir} is a new folder.")
        with assembled(self.settings, jobs_here=jobs_here) as services:
            yield services

    def log(self) -> None:
        """Logs to stderr. Without --verbose only errors are logged."""
        from service.observability import logs

        logs.configure(level="info" if self.verbose else "error", json=False)


def _complaint(error: Any) -> str:
    name, *within = map(str, error["loc"])
    where = f" ({within[0]})" if within else ""
    return f"BOOKWORM_{name.upper()}{where}: {error['msg'].removeprefix('Value error, ')}"
