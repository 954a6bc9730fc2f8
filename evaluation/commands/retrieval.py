"""`bookworm evaluate retrieval`: the share of the passages about a character that each retriever returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coref.training.commands.options import folder_given
from evaluation.commands.coref import GoldInvalid, Half, HalfOfPdnc, ResolverToUse
from service.cli import output
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from coref.protocols import Resolver
    from evaluation.coref.pdnc import PdncNovel
    from evaluation.retrieval.types import RetrievalScores


def retrieval(
    context: typer.Context,
    pdnc: Annotated[Path, folder_given("--pdnc", "PDNC, novels with speakers.")],
    retriever: Annotated[
        list[str] | None,
        typer.Option(
            "--retriever", metavar="NAME", help="Only this retriever; may be repeated. The default is all."
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="Number of passages to request.")] = 80,
    half: HalfOfPdnc = None,
    resolver: ResolverToUse = None,
    embedder: Annotated[
        str | None, typer.Option("--embedder", help="Embedder to use; see `bookworm doctor`.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measure retrievers: recall of passages about the main characters, and precision."""
    from coref.registry import make_resolver
    from evaluation.coref.novels import ALL
    from evaluation.coref.pdnc import PdncDamaged
    from evaluation.retrieval.measure import measured, together
    from retrieval.registry import RETRIEVERS, expect_retriever, make_embedder

    settings = Session.of(context).settings
    names = list(dict.fromkeys(retriever or RETRIEVERS))
    for name in names:
        expect_retriever(name)
    engine = make_resolver(resolver or settings.resolver, setup=settings.resolvers)
    vectors = make_embedder(embedder or settings.embedder, bits=settings.bits_rule)
    results = []
    try:
        for novel in _novels(pdnc, half):
            annotations = _resolved(novel, engine)
            output.tell(f"Searching {novel.name}")
            results.append(measured(novel, annotations, retrievers=names, embedder=vectors, k=k))
    except (PdncDamaged, UnicodeDecodeError, OSError) as error:
        raise GoldInvalid(f"The gold data cannot be read: {error}") from error
    if not results:
        raise GoldInvalid(f"No novel was found in {pdnc}.")
    pooled = together(ALL, results)
    if json:
        head = {"resolver": engine.name, "embedder": vectors.name}
        output.write_json(head | {"novels": [_document(r) for r in results], "pooled": _document(pooled)})
    else:
        _show(engine.name, results, pooled)


def _novels(folder: Path, half: Half | None) -> Iterator[PdncNovel]:
    from evaluation.coref import pdnc

    paths = pdnc.folders(folder)
    of = pdnc.halves(paths)
    return (pdnc.load(path) for path in paths if half in (None, of[path.name]))


def _resolved(novel: PdncNovel, engine: Resolver) -> Any:
    output.tell(f"Resolving {novel.name}")
    return engine.annotate(novel.book)


def _document(result: RetrievalScores) -> dict[str, Any]:
    """The cases as rows, because JSON has no composite keys."""
    from evaluation.coref.report import figures
    from service.cli.json_values import plain

    cases = [plain(case) | figures(found) for case, found in result.cases.items()]
    return {
        "name": result.name,
        "passages": result.passages,
        "characters": plain(result.characters),
        "found": plain(result.found),
        "cases": cases,
    }


def _show(resolver: str, results: Sequence[RetrievalScores], pooled: RetrievalScores) -> None:
    from evaluation.commands import retrieval_view as view

    output.out.print(f"Resolver {resolver}", markup=False)
    for part in (*view.summary(pooled), *view.by_novel(results), view.note(pooled)):
        output.out.print()
        output.out.print(part)
