"""`bookworm evaluate judge`: how reliable a judge of facts is, on facts known to be true or false."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from coref.training.commands.options import file_given, folder_given
from evaluation.commands.options import ResolvedBooks
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from evaluation.judging.measure import FactWithEvidence
    from evaluation.judging.report import JudgeReport
    from evaluation.judging.types import KnownFact
    from evaluation.portraits.workroom import Workroom
    from generation.checking.protocols import Judge


class FactsInvalid(BookwormError):
    code = "facts_invalid"
    remedy = "Use CSV with the columns of evaluation/judging/facts.csv: see evaluation/judging/README.md."


Novels = Annotated[
    Path,
    folder_given("--novels", "The folder with the facts' books; the project's novella is always included."),
]
Judges = Annotated[
    list[str] | None, typer.Option("--judge", metavar="NAME", help="Judge to measure; may be repeated.")
]
Facts = Annotated[Path | None, file_given("--facts", "Use these facts instead of the bundled ones.")]
Resolving = Annotated[str | None, typer.Option("--resolver", help="The resolver; see `bookworm doctor`.")]


def judge(
    context: typer.Context,
    novels: Novels,
    judges: Judges = None,
    facts: Facts = None,
    work: ResolvedBooks = None,
    resolver: Resolving = None,
    json: JsonFlag = False,
) -> None:
    """Measure judges on facts known to be true or false: precision, recall, and calibration of scores."""
    session = Session.of(context)
    settings = session.settings
    known = _known(facts)
    room = _room(session, work or settings.data_dir / "judging", resolver)
    asked = [
        session.engines.judge_called(name, examined=False)
        for name in dict.fromkeys(judges or [settings.judge])
    ]
    began = perf_counter()
    found = list(_cases(known, novels, room))
    gathered = perf_counter() - began
    reports = [_report(one, found, gathered) for one in asked]
    left = len(known) - len(found)
    if json:
        head = {"resolver": room.resolver.name, "facts": len(found), "left_out": left}
        output.write_json(head | {"judges": plain(reports)})
    else:
        from evaluation.commands import judge_view as view

        view.show(reports, resolver=room.resolver.name, facts=len(found), left_out=left)


def _known(path: Path | None) -> list[KnownFact]:
    from evaluation.judging.facts import known_facts

    try:
        return known_facts(path)
    except (ValueError, OSError) as error:
        raise FactsInvalid(f"The facts cannot be read: {error}") from error


def _room(session: Session, folder: Path, resolver: str | None) -> Workroom:
    from coref.registry import make_resolver
    from evaluation.portraits.workroom import Workroom
    from retrieval.registry import make_embedder

    engine = session.engines.resolver if resolver is None else make_resolver(resolver)
    return Workroom(folder, engine, make_embedder("hashing"), output.tell)


def _cases(known: Sequence[KnownFact], novels: Path, room: Workroom) -> Iterator[FactWithEvidence]:
    from evaluation import novella
    from evaluation.judging.facts import file_of, missing
    from evaluation.judging.measure import cases
    from evaluation.judging.types import NOVELLA
    from retrieval.registry import make_retriever

    paths = [path for path in novels.iterdir() if path.is_file()]
    for name in dict.fromkeys(fact.book for fact in known):
        path = novella.path() if name == NOVELLA else file_of(name, paths)
        if path is None:
            output.tell(f"In {novels} there is no file {name}. Its facts are omitted.")
            continue
        with room.open(path) as opened:
            mine = [fact for fact in known if fact.book == name]
            if lacking := list(missing(mine, name, opened.book.text)):
                output.tell(f"{path.name} is another edition: it lacks the words of {len(lacking)} facts.")
            retriever = make_retriever(
                "bm25", index=opened.index(), annotations=opened.annotations, embedder=room.embedder
            )
            yield from cases(
                mine,
                book=opened.book,
                annotations=opened.annotations,
                retriever=retriever,
            )


def _report(one: Judge, found: Sequence[FactWithEvidence], gathered: float) -> JudgeReport:
    from evaluation.judging.report import report
    from evaluation.judging.types import JudgedFact

    output.tell(f"Checking {len(found)} facts with {one.name}")
    began = perf_counter()
    verdicts = one.judge([c.case for c in found]).verdicts
    judged = [JudgedFact(c.known, c.case.claim, v) for c, v in zip(found, verdicts, strict=True)]
    return report(one.name, judged, seconds=gathered + perf_counter() - began)
