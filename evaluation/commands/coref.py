"""`bookworm evaluate coref`: quality and speed of a resolver."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from books.errors import BookwormError
from coref.training.commands.options import file_given, folder_given
from service.cli import output
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from coref.protocols import Resolver
    from evaluation.coref.litbank import DocumentScores
    from evaluation.coref.novels import NovelScores
    from evaluation.coref.speed import Factory, Timed
    from evaluation.coref.treebank_scores import GrammarScores


class GoldInvalid(BookwormError):
    code = "gold_invalid"
    remedy = "The data must have the layout in which it is published: see evaluation/coref/README.md."


class Split(StrEnum):
    TRAIN = "train"
    DEV = "dev"
    TEST = "test"


class Half(StrEnum):
    A = "a"
    B = "b"


HalfOfPdnc = Annotated[
    Half | None,
    typer.Option("--half", help="Only every second novel, from the first (a) or from the second (b)."),
]
ResolverToUse = Annotated[
    str | None, typer.Option("--resolver", help="Resolver to use; see `bookworm doctor`.")
]
EwtFolder = Annotated[Path | None, folder_given("--ewt", "UD English, for grammar.")]
TimedBooks = Annotated[
    list[Path] | None,
    typer.Option(
        "--speed", metavar="BOOK", exists=True, dir_okay=False, help="Book to time; may be repeated."
    ),
]
EwtSplit = Annotated[Split, typer.Option("--split", help="Split of UD English.")]


@dataclass(frozen=True, slots=True)
class Litbank:
    documents: Sequence[DocumentScores]
    pooled: DocumentScores


@dataclass(frozen=True, slots=True)
class Novels:
    novels: Sequence[NovelScores]
    pooled: Sequence[NovelScores]
    """All novels that were measured, and each half of them."""


@dataclass(frozen=True, slots=True)
class Treebank:
    split: str
    grammar: GrammarScores | None
    """None if the resolver does not provide it."""


@dataclass(frozen=True, slots=True)
class Found:
    """Results; None for what was not requested."""

    resolver: str
    litbank: Litbank | None
    pdnc: Novels | None
    ewt: Treebank | None


def coref(
    context: typer.Context,
    litbank: Annotated[Path | None, folder_given("--litbank", "LitBank, for mentions.")] = None,
    ids: Annotated[Path | None, file_given("--ids", "Use only the LitBank documents in this list.")] = None,
    pdnc: Annotated[Path | None, folder_given("--pdnc", "PDNC, for speakers.")] = None,
    half: HalfOfPdnc = None,
    ewt: EwtFolder = None,
    split: EwtSplit = Split.TEST,
    speed: TimedBooks = None,
    resolver: ResolverToUse = None,
    json: JsonFlag = False,
) -> None:
    """Measure a resolver: mentions and coreference, speakers and cast, grammar, speed and memory."""
    if litbank is None and pdnc is None and ewt is None and not speed:
        raise typer.BadParameter("give at least one of --litbank, --pdnc, --ewt, --speed")
    from coref.training.litbank import LitbankDamaged
    from evaluation.coref.pdnc import PdncDamaged

    factory = _factory(context, resolver)
    engine = factory()
    try:
        found = Found(
            resolver=engine.name,
            litbank=None if litbank is None else _litbank(litbank, ids, engine),
            pdnc=None if pdnc is None else _novels(pdnc, half, engine),
            ewt=None if ewt is None else _treebank(ewt, split, engine),
        )
    except (LitbankDamaged, PdncDamaged, UnicodeDecodeError, OSError) as error:
        raise GoldInvalid(f"The gold data cannot be read: {error}") from error
    times = [_timed(path, factory) for path in sorted(speed or (), key=lambda path: path.stat().st_size)]
    if json:
        output.write_json(_document(found, times))
    else:
        _show(found, times)


def _factory(context: typer.Context, name: str | None) -> Factory:
    from coref.registry import make_resolver

    settings = Session.of(context).settings
    return partial(make_resolver, name or settings.resolver, setup=settings.resolvers)


def _litbank(folder: Path, ids: Path | None, engine: Resolver) -> Litbank:
    from evaluation.coref import litbank

    results = []
    for document in litbank.documents(folder, ids):
        output.tell(f"Resolving {document.name}")
        results.append(litbank.scored(document, engine))
    if not results:
        raise GoldInvalid(f"No document was found in {folder / 'coref'}.")
    return Litbank(results, litbank.together("all", results))


def _novels(folder: Path, half: Half | None, engine: Resolver) -> Novels:
    from evaluation.coref import novels, pdnc

    results = []
    of = pdnc.halves(pdnc.folders(folder))
    for path in pdnc.folders(folder):
        if half in (None, of[path.name]):
            output.tell(f"Resolving {path.name}")
            results.append(novels.measured(pdnc.load(path), engine, of[path.name]))
    if not results:
        raise GoldInvalid(f"No novel was found in {folder}.")
    parts = {novels.ALL: results}
    if half is None:
        parts |= {f"half {h.value}": [r for r in results if r.half == h] for h in Half}
    return Novels(results, [novels.together(name, part) for name, part in parts.items() if part])


def _treebank(folder: Path, split: Split, engine: Resolver) -> Treebank:
    from coref.protocols import ParsesWords
    from coref.training import english_treebank as ewt
    from evaluation.coref.treebank_scores import measured

    try:
        documents = list(ewt.together(ewt.read(folder, split.value)))
    except (ValueError, IndexError, EOFError, zlib.error) as error:
        raise GoldInvalid(f"The treebank cannot be read: {error}") from error
    if not documents:
        raise GoldInvalid(f"No sentence was found in the {split.value} part of {folder}.")
    if not isinstance(engine, ParsesWords):
        return Treebank(split.value, None)
    output.tell(f"Parsing the {split.value} part of {folder.name}")
    return Treebank(split.value, measured(documents, engine))


def _timed(path: Path, factory: Factory) -> Timed:
    from evaluation.coref.speed import timed

    output.tell(f"Timing {path.name}")
    return timed(path, factory)


def _document(found: Found, times: Sequence[Timed]) -> dict[str, Any]:
    from evaluation.coref.report import figures

    document: dict[str, Any] = figures(found)
    return document | {"speed": figures(times)}


def _show(found: Found, times: Sequence[Timed]) -> None:
    from evaluation.commands import coref_view as view

    output.out.print(f"Resolver {found.resolver}", markup=False)
    for table in (
        *(view.litbank(found.litbank.documents, found.litbank.pooled) if found.litbank else ()),
        *(view.novels([*found.pdnc.novels, *found.pdnc.pooled]) if found.pdnc else ()),
        *(view.grammar(found.ewt.grammar) if found.ewt else ()),
        *(view.speed(times) if times else ()),
    ):
        output.out.print()
        output.out.print(table)
