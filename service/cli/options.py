"""The options and arguments that several commands share, so that they read the same everywhere."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class OfOne(StrEnum):
    """What is written of one character."""

    DESCRIPTION = "description"
    ANALYSIS = "analysis"


JsonFlag = Annotated[
    bool, typer.Option("--json", help="Write one JSON document to stdout instead of a page.")
]
Book = Annotated[str, typer.Argument(metavar="BOOK", help="A book's id, or a file: read first if it is new.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="A name, an alias or a character's id.")]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding", metavar="NAME", help="Of its text, such as gb18030, when the right one is not found."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Go on in a language that is not understood.")]
Title = Annotated[str | None, typer.Option("--title", help="Instead of what the file says.")]
Author = Annotated[str | None, typer.Option("--author", help="Instead of what the file says.")]
Upto = Annotated[
    str | None,
    typer.Option(
        "--upto", metavar="PLACE", help="How far you have read: a chapter (`5`) or paragraph (`p:120`)."
    ),
]
Retriever = Annotated[
    str | None, typer.Option("--retriever", help="How passages are found; see `bookworm doctor`.")
]
Generator = Annotated[str | None, typer.Option("--generator", help="Who writes; see `bookworm doctor`.")]
Words = Annotated[
    int | None, typer.Option("--words", min=20, max=2000, help="About how many words to write.")
]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same answer.")]
Refresh = Annotated[bool, typer.Option("--refresh", help="Write it anew even if the same was asked before.")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Where to write, for booknlp a folder; stdout by default."),
]
