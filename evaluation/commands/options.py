"""Options that several commands about the corpus share."""

from __future__ import annotations

from collections.abc import Collection
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coref.training.commands.options import folder_given, folder_option
from service.cli import output
from service.cli.session import Session

if TYPE_CHECKING:
    from evaluation.portraits.workroom import Workroom

CorpusTexts = Annotated[
    Path, folder_given("--novels", "The texts of the corpus' novels, as NAME.txt or NAME.txt.gz.")
]
CorpusFolder = Annotated[
    Path | None,
    folder_given("--corpus", "A corpus like evaluation/corpus; default: this one, as it is installed."),
]
ResolvedBooks = Annotated[
    Path | None,
    folder_option("--work", "The folder for resolved books; default: in the data folder."),
]


def names_with(parts: Collection[str], names: Collection[str]) -> list[str]:
    """Return the names that contain one of the parts, in any case and with blanks as underscores."""
    found = {part: [name for name in names if _plain(part) in _plain(name)] for part in parts}
    for part, named in found.items():
        if not named:
            raise typer.BadParameter(f"No novel's name contains “{part}”.", param_hint="--only")
    return sorted({name for named in found.values() for name in named})


def _plain(name: str) -> str:
    return name.casefold().replace(" ", "_")


def _of_corpus(parts: list[str] | None) -> list[str] | None:
    """Return the names of the corpus' novels that are meant by parts of names."""
    folders = (files("evaluation.corpus") / name for name in ("portraits", "excerpts", "meant", "casts"))
    names = {file.name.removesuffix(".json") for folder in folders for file in folder.iterdir()}
    return names_with(parts, names) if parts else None


OnlyNovels = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="PART", callback=_of_corpus, help="Only novels whose name contains this."),
]
OnlyResolved = Annotated[
    bool, typer.Option("--only-resolved", help="Leave out the novels that the folder does not have yet.")
]


def _of_corpus_split(split: str) -> str:
    from evaluation.corpus.types import SPLITS

    if split not in SPLITS:
        raise typer.BadParameter(f"one of {', '.join(SPLITS)}", param_hint="--split")
    return split


CorpusSplit = Annotated[
    str,
    typer.Option("--split", callback=_of_corpus_split, help="Split of the corpus: train, dev or test."),
]


def room_for(context: typer.Context, work: Path | None, *, embedder: str = "hashing") -> Workroom:
    """Return the room for books that are only resolved, or indexed with another embedder."""
    from evaluation.portraits.workroom import Workroom
    from retrieval.registry import make_embedder

    session = Session.of(context)
    folder = work or session.settings.data_dir / "keyfacts"
    return Workroom(folder, session.engines.resolver, make_embedder(embedder), output.tell)
