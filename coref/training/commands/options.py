"""Options that several training commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

LITBANK_FOLDER = typer.Option("--litbank", metavar="FOLDER", exists=True, file_okay=False, help="LitBank.")
NOVELS_FOLDER = typer.Option(
    "--novels",
    metavar="FOLDER",
    exists=True,
    file_okay=False,
    help="Folder with the full novels of the LitBank excerpts, as NAME.txt.gz.",
)

LitBank = Annotated[Path, LITBANK_FOLDER]
LitBankNovels = Annotated[Path, NOVELS_FOLDER]
WeightsFile = Annotated[Path, typer.Option("--output", metavar="FILE", help="File for the weights.")]
