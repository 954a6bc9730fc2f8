"""Options that several training commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer


def file_to_write(file: Path | None) -> Path | None:
    """Refuse a file that cannot be written before the work is done, and not after it."""
    if file is not None and not file.parent.is_dir():
        raise typer.BadParameter(f"There is no folder {file.parent}.")
    if file is not None:
        _expect_writable(file.parent)
    return file


def folder_to_write(folder: Path | None) -> Path | None:
    """Refuse a folder that cannot be made or written before the work is done, and not after it."""
    if folder is not None:
        _expect_writable(next(each for each in (folder, *folder.absolute().parents) if each.exists()))
    return folder


def _expect_writable(folder: Path) -> None:
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise typer.BadParameter(f"Nothing can be written in {folder}.")


def file_option(name: str, told: str) -> Any:
    """Return an option for a file to write, `told` by its help."""
    return typer.Option(
        name, metavar="FILE", dir_okay=False, writable=True, callback=file_to_write, help=told
    )


def folder_option(name: str, told: str) -> Any:
    """Return an option for a folder to write."""
    return typer.Option(name, metavar="FOLDER", file_okay=False, callback=folder_to_write, help=told)


def file_given(name: str, told: str, *, panel: str | None = None) -> Any:
    """Return an option for a file to read."""
    return typer.Option(name, metavar="FILE", exists=True, dir_okay=False, help=told, rich_help_panel=panel)


def folder_given(
    name: str, told: str, *, check: Callable[[Path], Path] | None = None, panel: str | None = None
) -> Any:
    """Return an option for a folder to read. `check` refuses one that is of no use."""
    return typer.Option(
        name,
        metavar="FOLDER",
        exists=True,
        file_okay=False,
        callback=check,
        help=told,
        rich_help_panel=panel,
    )


def _with_lists(folder: Path) -> Path:
    for name in ("train.ids", "dev.ids"):
        if not (folder / name).is_file():
            raise typer.BadParameter(f"{folder} has no {name}: it is not LitBank.", param_hint="--litbank")
    return folder


LITBANK_NOVELS = folder_given(
    "--novels", "Folder with the full novels of the LitBank excerpts, as NAME.txt.gz."
)
LitBank = Annotated[Path, folder_given("--litbank", "LitBank.", check=_with_lists)]
LitBankNovels = Annotated[Path, LITBANK_NOVELS]
WeightsFile = Annotated[Path, file_option("--output", "File for the weights.")]
WeightsFolder = Annotated[Path, folder_option("--output", "Folder for the weights.")]
