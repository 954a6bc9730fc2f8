"""`bookworm train entailment`: trains the entailment head of the offline judge on the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli import output
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from books.types import Book
    from coref.types import Annotations
    from evaluation.corpus.types import CorpusNovel


def entailment(
    context: typer.Context,
    novels: Annotated[
        Path,
        typer.Option(
            "--novels",
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="The texts of the corpus' novels, as NAME.txt or NAME.txt.gz.",
        ),
    ],
    to: Annotated[Path, typer.Option("--output", metavar="FILE", help="File for the weights.")],
    work: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder for resolved books; default: in the data folder."),
    ] = None,
    only_resolved: Annotated[
        bool, typer.Option("--only-resolved", help="Leave out the novels that the folder does not have yet.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Train the entailment head on the corpus' split train, and set its thresholds with dev."""
    from evaluation.entailment.training import train
    from generation.checking.entailment.entailment_head import write

    session = Session.of(context)
    folder = work or session.settings.data_dir / "keyfacts"
    try:
        made = train(_opened(session, novels, folder, only_resolved), tell=output.tell)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--novels") from error
    to.write_text(write(made.weights, made.story), encoding="utf-8")
    if json:
        output.write_json(made.story)
    else:
        output.tell(f"{made.weights.weights.size} weights in {to}")


def _opened(
    session: Session, texts: Path, folder: Path, only_resolved: bool
) -> Iterator[tuple[CorpusNovel, Book, Annotations]]:
    from evaluation.corpus.loading import novels
    from evaluation.keyfacts.opening import opened

    for split in ("train", "dev"):
        for novel in novels(split):
            found = opened(
                novel, texts, folder, session.engines.resolver, tell=output.tell, only_resolved=only_resolved
            )
            if found is not None:
                yield novel, *found
