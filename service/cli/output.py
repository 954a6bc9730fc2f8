"""Output: a JSON document or readable text on stdout, progress and errors on stderr."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Column, Table

from books.errors import BookwormError
from service.cli.exits import candidates_of, problem

if TYPE_CHECKING:
    from pydantic import BaseModel

WIDE = 140
"""Number of columns if the output is not a terminal."""

_CONTROL = dict.fromkeys({*range(0x20), *range(0x7F, 0xA0)} - set(map(ord, "\t\n")))
"""Characters that a terminal obeys. A book and whoever uploads it may have any."""


_UNESCAPED = re.compile(r"[\x7f-\x9f]")
"""Control characters that JSON may have as they are."""


def harmless(text: str) -> str:
    """Returns the text without control characters."""
    return text.translate(_CONTROL)


class _Harmless(Console):
    """Prints no control characters of texts, only those of styles."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=harmless(segment.text))


out = _Harmless(
    highlight=False,
    markup=False,
    width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDE,
)
err = _Harmless(stderr=True, highlight=False, markup=False)
_ERROR = "bold red"


def table(*headings: str, figures: Collection[str] = ()) -> Table:
    """A table without lines; figures are aligned on the right."""
    columns = [Column(name, justify="right" if name in figures else "left") for name in headings]
    return Table(*columns, box=None, padding=(0, 2, 0, 0), header_style="bold")


def at_terminal() -> bool:
    """Whether somebody can read what is written and answer it."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def write_json(document: Any) -> None:
    """Writes the document as the only output on stdout, so that a program can parse it."""
    written = json.dumps(document, ensure_ascii=False, indent=2, default=_dumped)
    sys.stdout.write(_UNESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", written) + "\n")
    sys.stdout.flush()


def _dumped(model: BaseModel) -> Any:
    return model.model_dump(mode="json")


def write_text(text: str) -> None:
    """Writes the text without wrapping or colours, to a file or a program unchanged."""
    sys.stdout.write(harmless(text) if sys.stdout.isatty() else text)
    sys.stdout.flush()


def tell(message: str) -> None:
    """Writes a message to stderr."""
    err.print(message, style="dim")


def warn(message: str) -> None:
    """Writes a warning to stderr."""
    err.print("Warning", style="yellow", end=": ")
    err.print(message)


def complain(error: BookwormError, *, as_json: bool) -> None:
    if as_json:
        write_json(problem(error))
        return
    err.print("Error", style=_ERROR, end=f" ({error.code}): ")
    told = error.wording(candid=True)
    err.print(told.detail)
    for candidate in candidates_of(error):
        err.print(f"  {candidate}")
    err.print(told.remedy, style="yellow")


def complain_of_usage(error: typer.TyperException, *, as_json: bool) -> None:
    if not error.format_message():
        return  # there was no command, and the help has been shown
    context = getattr(error, "ctx", None)
    remedy = f"See `{context.command_path if context else 'bookworm'} --help`."
    if as_json:
        write_json({"code": "usage", "detail": error.format_message(), "remedy": remedy})
        return
    err.print("Error", style=_ERROR, end=": ")
    err.print(error.format_message())
    if context is not None:
        err.print(context.get_usage())
    err.print(remedy, style="yellow")
