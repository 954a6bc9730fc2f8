"""What one run of the command line works with: the settings, and the services while they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from books.errors import BookwormError

if TYPE_CHECKING:
    from service.engines import Engines
    from service.services import Services
    from service.settings import Settings


class SettingsInvalid(BookwormError):
    code = "settings_invalid"
    remedy = "Correct the environment variable; docs/settings.md lists what each one takes."


@dataclass
class Session:
    """Made once in `run`, travels in Typer's context."""

    data_dir: Path | None = None
    library: str = "local"
    verbose: bool = False
    overrides: dict[str, object] = field(default_factory=dict)
    """Settings that a command's own options replace."""

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
        except ValueError as error:  # what should be JSON is none
            raise SettingsInvalid(f"{error}.") from None

    @cached_property
    def engines(self) -> Engines:
        """The engines that the settings name, without a library."""
        from service.engines import Engines

        return Engines(self.settings)

    @contextmanager
    def services(self, *, jobs_here: bool = False) -> Iterator[Services]:
        """Everything, put together; `jobs_here` when this process is to do the work of ingesting."""
        from service.assembly import assembled

        self.log()
        with assembled(self.settings, jobs_here=jobs_here) as services:
            yield services

    def log(self) -> None:
        """Logs go to stderr, and only troubles unless more is wanted."""
        from service.observability import logs

        logs.configure(level="info" if self.verbose else "error", json=False)


def _complaint(error: Any) -> str:
    name, *within = map(str, error["loc"])
    where = f" ({within[0]})" if within else ""
    return f"BOOKWORM_{name.upper()}{where}: {error['msg']}"
