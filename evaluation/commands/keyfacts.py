"""`bookworm evaluate keyfacts`: what Bookworm makes of the key facts of the corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from books.errors import BookwormError
from evaluation.commands.options import (
    CorpusFolder,
    CorpusSplit,
    CorpusTexts,
    OnlyResolved,
    ResolvedBooks,
    room_for,
)
from generation.types import Task
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from evaluation.corpus.types import CorpusNovel
    from evaluation.judging.judge_figures import Rate
    from evaluation.keyfacts.checking import CheckedFact, CheckFigures
    from evaluation.keyfacts.citing import CitedClaim, CitingFigures
    from evaluation.keyfacts.examples import NovelExamples
    from evaluation.keyfacts.good_answers import CheckedSentence, GoodAnswerFigures
    from evaluation.keyfacts.retrieving import QuotationRanks
    from evaluation.keyfacts.writing import DescribedPerson, WritingFigures
    from evaluation.portraits.types import OpenedBook
    from evaluation.portraits.workroom import Workroom


_TEXTS = {Task.DESCRIPTION: "Descriptions", Task.ANALYSIS: "Analyses"}
_CORPUS = "Give a folder with a folder `portraits`, as evaluation/corpus has it."


class NovelsMissing(BookwormError):
    code = "novels_missing"
    remedy = "Give the folder with the texts that the corpus was made from: see evaluation/corpus/README.md."


def keyfacts(
    context: typer.Context,
    novels: CorpusTexts,
    corpus: CorpusFolder = None,
    split: CorpusSplit = "test",
    judge: Annotated[str, typer.Option(help="The judge.")] = "offline",
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    json: JsonFlag = False,
) -> None:
    """Measure what is found, cited and borne out of the corpus' key facts. The judge finds the evidence."""
    from evaluation.keyfacts.checking import by_category, checked
    from evaluation.keyfacts.citing import cited, figures
    from evaluation.keyfacts.retrieving import DEPTHS

    session = Session.of(context)
    room = room_for(context, work, embedder="minilm")
    asked = session.engines.judge_called(judge, examined=False)
    facts: list[CheckedFact] = []
    citations: list[CitedClaim] = []
    chosen = _novels(split, corpus)
    for novel, opened in room.open_novels(chosen, novels, only_resolved=only_resolved):
        facts += checked(novel, opened.book, opened.annotations, asked)
        citations += cited(novel, opened.book, opened.annotations)
    if not facts:
        raise NovelsMissing(f"{novels} has no novel of the split {split}.")
    found = by_category(facts)
    titles = {f.novel for f in facts}
    kept = figures(citations)
    told, written, good = _told(room, room.open_novels(chosen, novels, only=titles))
    if json:
        shares = {f"in_{depth}": told.share(depth) for depth in DEPTHS}
        output.write_json(
            {
                "split": split,
                "novels": len(titles),
                "judge": judge,
                "check": plain(found),
                "cite": plain(kept),
                "find": shares,
                "write": {task.value: plain(of_task) for task, of_task in written.items()},
                "good_answers": plain(good),
            }
        )
        return
    output.out.print(_table(found, f"{judge} on {len(titles)} novels of {split}"))
    output.out.print(_citing_table(kept))
    found_early = ", ".join(f"{told.share(depth):.1%} in the first {depth} passages" for depth in DEPTHS)
    output.out.print(f"Quotations of key facts that `telling` finds: {found_early}.")
    for task, texts in written.items():
        output.out.print(
            f"{_TEXTS[task]}: {texts.facts_cited:.1%} of the key facts cited, {texts.sentences_telling:.1%} "
            f"of the sentences cite one, {texts.words:.0f} words."
        )
    output.out.print(
        f"Key facts written with their citations: {_share(good.cited)} keep one that holds, "
        f"{_share(good.rightly)} of these of their own quotation; a judge that knows the quotations supports "
        f"{_share(good.supported)} and contradicts {_share(good.contradicted)}; offline "
        f"{_share(good.offline_supported)} are supported. Of false facts written beside them "
        f"{_share(good.false_offered)} have a citation, and {_share(good.false_cited)} after that judge."
    )


def _told(
    room: Workroom, novels: Iterable[tuple[CorpusNovel, OpenedBook]]
) -> tuple[QuotationRanks, dict[Task, WritingFigures], GoodAnswerFigures]:
    """Measure what is found of a person, what texts cite, and what the check makes of good answers."""
    from evaluation.keyfacts import good_answers
    from evaluation.keyfacts.examples import examples_of
    from evaluation.keyfacts.retrieving import ranks
    from evaluation.keyfacts.writing import described, figures
    from evaluation.portraits.types import SystemEngines
    from generation.checking.judges.offline_judge import OfflineJudge
    from generation.registry import make_generator
    from retrieval.telling.head import shipped

    judge = OfflineJudge()
    engines = SystemEngines(room.embedder, judge)
    made: list[NovelExamples] = []
    people: dict[Task, list[DescribedPerson]] = {task: [] for task in _TEXTS}
    checked: list[CheckedSentence] = []
    for novel, opened in novels:
        made.append(examples_of(novel, opened))
        for task, written in people.items():
            written += described(novel, opened, make_generator("offline"), task)
        telling, search = (opened.retriever(name, engines) for name in ("telling", "bm25"))
        checked += good_answers.checked(novel, opened, telling, search, judge)
    head = shipped()
    found = ranks(made, lambda example: head(example.candidates.signs, example.vectors))
    written_by_task = {task: figures(written) for task, written in people.items()}
    return found, written_by_task, good_answers.figures(checked)


def _novels(split: str, corpus: Path | None) -> list[CorpusNovel]:
    from evaluation.corpus.loading import novels

    try:
        return list(novels(split, corpus))
    except (OSError, ValueError) as error:
        raise NovelsMissing(f"{corpus} is no corpus: {error}", remedy=_CORPUS) from error


def _citing_table(found: Mapping[str, CitingFigures]) -> Table:
    title = "Claims with one passage"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1), header_style="bold")
    for name in ("", "Citation kept", "Cited by a search"):
        table.add_column(name, justify="left" if not name else "right")
    for kind, one in found.items():
        table.add_row(kind, _share(one.cited), _share(one.found))
    return table


def _table(found: Mapping[str, CheckFigures], title: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1), header_style="bold")
    columns = ("True supported", "Supported true", "False contradicted", "Contradicted false", "Uncertain")
    for name in ("", "Facts", *columns):
        table.add_column(name, justify="left" if not name else "right")
    for name, one in found.items():
        rates = (
            one.true_supported,
            one.supported_true,
            one.false_contradicted,
            one.contradicted_false,
            one.uncertain,
        )
        table.add_row(name, str(one.facts), *map(_share, rates))
    return table


def _share(rate: Rate) -> str:
    return "–" if rate.value is None else f"{rate.value:.1%} ({rate.of}/{rate.all})"
