"""The command line application and its error handling."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

import typer
from typer.main import get_command

from books.errors import BookwormError
from evaluation.commands import evaluate
from service.cli import (
    annotate,
    answers,
    chapters,
    characters,
    checking,
    convert,
    correcting,
    corrections,
    demo,
    doctor,
    doubts,
    export,
    keys,
    library,
    models,
    output,
    overrulings,
    profiles,
    quiz,
    read,
    references,
    search,
    serving,
    story,
    train,
    traits,
)
from service.cli.exits import Exit, exit_of
from service.cli.files import FileTrouble
from service.cli.library import Again
from service.cli.session import Session

app = typer.Typer(
    name="bookworm",
    help="Describes the characters of novels, with citations and checked facts. Works offline.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Unforeseen(BookwormError):
    code = "unforeseen"
    remedy = "This is a bug in Bookworm. `bookworm --verbose …` shows where it happened. Please report it."


LIBRARY = "Library"
ANSWERS = "Answers"
SERVICE = "Service"

app.command(rich_help_panel=LIBRARY)(library.ingest)
app.command(rich_help_panel=LIBRARY)(library.books)
app.command(rich_help_panel=LIBRARY)(library.reprocess)
app.command(rich_help_panel=LIBRARY)(library.delete)
app.command(rich_help_panel=LIBRARY, context_settings={"allow_extra_args": True})(search.search)
app.command(rich_help_panel=LIBRARY)(chapters.chapters)
app.command(rich_help_panel=LIBRARY)(read.read)
app.command(rich_help_panel=LIBRARY)(annotate.annotate)
app.command(rich_help_panel=LIBRARY)(export.export)
app.command(rich_help_panel=LIBRARY)(convert.convert)
app.command(rich_help_panel=ANSWERS)(characters.characters)
app.command(rich_help_panel=ANSWERS)(search.passages)
app.command(rich_help_panel=ANSWERS)(traits.traits)
app.command(rich_help_panel=ANSWERS)(profiles.profile)
app.command(rich_help_panel=ANSWERS)(doubts.doubts)
app.command(rich_help_panel=ANSWERS)(correcting.correct)
app.command(rich_help_panel=ANSWERS)(corrections.corrections)
app.command(rich_help_panel=ANSWERS)(answers.describe)
app.command(rich_help_panel=ANSWERS)(answers.analyse)
app.command(rich_help_panel=ANSWERS)(answers.joint)
app.command(rich_help_panel=ANSWERS)(answers.ask)
app.command(rich_help_panel=ANSWERS)(story.summarise)
app.command(rich_help_panel=ANSWERS)(story.recap)
app.command(rich_help_panel=ANSWERS)(story.timeline)
app.command(rich_help_panel=ANSWERS)(quiz.quiz)
app.command(rich_help_panel=ANSWERS)(checking.check)
app.command(rich_help_panel=ANSWERS)(references.reference)
app.command(rich_help_panel=ANSWERS)(references.references)
app.command(rich_help_panel=ANSWERS)(overrulings.overrule)
app.command(rich_help_panel=ANSWERS)(overrulings.overrulings)
app.command(rich_help_panel=ANSWERS)(demo.demo)
app.command(rich_help_panel=SERVICE)(serving.serve)
app.command(rich_help_panel=SERVICE)(serving.worker)
app.command(rich_help_panel=SERVICE)(serving.openapi)
app.command(rich_help_panel=SERVICE)(doctor.doctor)
app.add_typer(evaluate.evaluate, name="evaluate", rich_help_panel=SERVICE)
app.add_typer(train.train, name="train", rich_help_panel=SERVICE)
app.add_typer(keys.keys, name="keys", rich_help_panel=SERVICE)
app.add_typer(models.models, name="models", rich_help_panel=SERVICE)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        output.out.print(f"bookworm {version('bookworm')}")
        raise typer.Exit


_command_of = cache(get_command)
"""Cached, because Typer reads the signatures of all commands, which takes longer than many commands do."""


@app.callback()
def options(
    context: typer.Context,
    data_dir: Annotated[
        Path | None,
        typer.Option(
            "--data-dir", metavar="FOLDER", help="Folder of the library. It replaces BOOKWORM_DATA_DIR."
        ),
    ] = None,
    library: Annotated[
        str, typer.Option("--library", help="Library to use; each API key has one.")
    ] = "local",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Write a log to stderr.")] = False,
    _asked: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Show the version.")
    ] = False,
) -> None:
    """Options before the command."""
    context.obj = Session(data_dir=data_dir, library=library, verbose=verbose)


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and returns the exit status. Errors are reported in a line or two."""
    as_json = "--json" in arguments
    try:
        return _run_until_mended(arguments)
    except (KeyboardInterrupt, typer.Abort) as stopped:
        if isinstance(stopped.__context__, EOFError):
            output.tell("The input ended before the answer.")
            return Exit.ERROR
        output.tell("Stopped.")
        return Exit.INTERRUPTED
    except typer.TyperException as error:
        output.complain_of_usage(error, as_json=as_json)
        return Exit.USAGE
    except BookwormError as error:
        output.complain(error, as_json=as_json)
        return exit_of(error)
    except (BrokenPipeError, SystemExit) as stopped:
        # The reader of stdout has closed it, for which Typer and Rich exit with status 1.
        if isinstance(stopped, SystemExit) and not isinstance(stopped.__context__, BrokenPipeError):
            raise
        # Python would raise again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except OSError as error:
        output.complain(
            FileTrouble(f"{error.filename or 'A file'}: {error.strerror or error}."), as_json=as_json
        )
        return Exit.ERROR
    except Exception as error:
        if {"-v", "--verbose"} & set(arguments):
            raise
        kind = type(error).__name__
        # safetensors wraps the OSError of a full disk. It is not imported here because that takes long.
        on_disk = kind == "SafetensorError" and "I/O error" in str(error)
        told = FileTrouble(f"{error}.") if on_disk else Unforeseen(f"{kind}: {error}")
        output.complain(told, as_json=as_json)
        return Exit.ERROR


def _run_until_mended(arguments: Sequence[str]) -> int:
    """Runs the command, and once more if it found a damaged book, which was repaired."""
    try:
        return _run_once(arguments)
    except Again:
        pass
    try:
        return _run_once(arguments)
    except Again as again:
        raise again.stood_in_the_way from None


def _run_once(arguments: Sequence[str]) -> int:
    command = _command_of(app)
    status = int(command.main(list(arguments), prog_name="bookworm", standalone_mode=False) or Exit.OK)
    if status == Exit.INTERRUPTED:  # Typer catches Ctrl-C itself
        raise KeyboardInterrupt
    return status
