"""Options that several commands about the corpus share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coref.training.commands.options import folder_to_write
from service.cli import output
from service.cli.session import Session

if TYPE_CHECKING:
    from evaluation.portraits.workroom import Workroom

CorpusTexts = Annotated[
    Path,
    typer.Option(
        "--novels",
        metavar="FOLDER",
        exists=True,
        file_okay=False,
        help="The texts of the corpus' novels, as NAME.txt or NAME.txt.gz.",
    ),
]
CorpusFolder = Annotated[
    Path | None,
    typer.Option(
        "--corpus",
        metavar="FOLDER",
        exists=True,
        file_okay=False,
        help="A corpus like evaluation/corpus; default: this one, as it is installed.",
    ),
]
ResolvedBooks = Annotated[
    Path | None,
    typer.Option(
        "--work",
        metavar="FOLDER",
        file_okay=False,
        callback=folder_to_write,
        help="The folder for resolved books; default: in the data folder.",
    ),
]
OnlyNovels = Annotated[
    list[str] | None, typer.Option("--only", metavar="PART", help="Only novels whose name contains this.")
]
OnlyResolved = Annotated[
    bool, typer.Option("--only-resolved", help="Leave out the novels that the folder does not have yet.")
]
CorpusSplit = Annotated[str, typer.Option("--split", help="Split of the corpus: train, dev or test.")]


def room_for(context: typer.Context, work: Path | None, *, embedder: str = "hashing") -> Workroom:
    """Return the room for books that are only resolved, or indexed with another embedder."""
    from evaluation.portraits.workroom import Workroom
    from retrieval.registry import make_embedder

    session = Session.of(context)
    folder = work or session.settings.data_dir / "keyfacts"
    return Workroom(folder, session.engines.resolver, make_embedder(embedder), output.tell)
