"""Output: a JSON document or readable text on stdout, progress and errors on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Column, Table

from books.errors import BookwormError
from service.cli.exits import candidates_of, problem

if TYPE_CHECKING:
    from pydantic import BaseModel

WIDE = 140
"""Number of columns if the output is not a terminal."""

out = Console(highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDE)
err = Console(stderr=True, highlight=False)


def table(*headings: str, figures: Collection[str] = ()) -> Table:
    """A table without lines; figures are aligned on the right."""
    columns = [Column(name, justify="right" if name in figures else "left") for name in headings]
    return Table(*columns, box=None, padding=(0, 2, 0, 0), header_style="bold")


def at_terminal() -> bool:
    """Whether somebody can read what is written and answer it."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def write_json(document: Any) -> None:
    """Writes the document as the only output on stdout, so that a program can parse it."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=_dumped) + "\n")
    sys.stdout.flush()


def _dumped(model: BaseModel) -> Any:
    return model.model_dump(mode="json")


def write_text(text: str) -> None:
    """Writes the text unchanged, without wrapping or colours."""
    sys.stdout.write(text)
    sys.stdout.flush()


def tell(message: str) -> None:
    """Writes a message to stderr."""
    err.print(message, style="dim", markup=False)


def warn(message: str) -> None:
    """Writes a warning to stderr."""
    err.print("[yellow]Warning[/]: ", end="")
    err.print(message, markup=False)


def complain(error: BookwormError, *, as_json: bool) -> None:
    if as_json:
        write_json(problem(error))
        return
    err.print(f"[bold red]Error[/] ({error.code}): ", end="")
    told = error.wording(candid=True)
    err.print(told.detail, markup=False)
    for candidate in candidates_of(error):
        err.print(f"  {candidate}", markup=False)
    err.print(told.remedy, markup=False, style="yellow")


def complain_of_usage(error: typer.TyperException, *, as_json: bool) -> None:
    if not error.format_message():
        return  # there was no command, and the help has been shown
    context = getattr(error, "ctx", None)
    remedy = f"See `{context.command_path if context else 'bookworm'} --help`."
    if as_json:
        write_json({"code": "usage", "detail": error.format_message(), "remedy": remedy})
        return
    err.print("[bold red]Error[/]: ", end="")
    err.print(error.format_message(), markup=False)
    if context is not None:
        err.print(context.get_usage(), markup=False)
    err.print(remedy, markup=False, style="yellow")
