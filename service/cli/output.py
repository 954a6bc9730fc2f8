"""Where words go: one JSON document or a page for people on stdout, progress and errors on stderr."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import typer
from rich.console import Console

from books.errors import BookwormError
from service.cli.exits import candidates_of, problem

WIDE = 140
"""Columns where nobody's terminal says how many there are: in a pipe or a file."""

out = Console(highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDE)
err = Console(stderr=True, highlight=False)


def write_json(document: Any) -> None:
    """The whole of stdout, so that a program can read it."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    sys.stdout.flush()


def write_text(text: str) -> None:
    """As it is: no wrapping, no colour."""
    sys.stdout.write(text)
    sys.stdout.flush()


def tell(message: str) -> None:
    """A line of news for people; never on stdout."""
    err.print(message, style="dim")


def warn(message: str) -> None:
    """What somebody should look at, though it went well; never on stdout."""
    err.print("[yellow]Warning[/]: ", end="")
    err.print(message, markup=False)


def complain(error: BookwormError, *, as_json: bool) -> None:
    if as_json:
        write_json(problem(error))
        return
    err.print(f"[bold red]Error[/] ({error.code}): ", end="")
    err.print(error.detail, markup=False)
    for candidate in candidates_of(error):
        err.print(f"  {candidate}", markup=False)
    err.print(error.advice, markup=False, style="yellow")


def complain_of_usage(error: typer.TyperException, *, as_json: bool) -> None:
    if not error.format_message():
        return  # there was no command at all, and the help has been shown
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
