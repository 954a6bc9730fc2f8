"""`bookworm evaluate keyfacts`: what Bookworm makes of the key facts of the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer
from rich.table import Table

from books.errors import BookwormError
from evaluation.commands.options import CorpusFolder, CorpusTexts, OnlyResolved, ResolvedBooks
from evaluation.corpus.types import Split
from generation.types import Task
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from books.types import Book
    from coref.types import Annotations
    from evaluation.corpus.types import CorpusNovel
    from evaluation.judging.judge_figures import Rate
    from evaluation.keyfacts.checking import CheckedFact, CheckFigures
    from evaluation.keyfacts.citing import CitedClaim, CitingFigures
    from evaluation.keyfacts.examples import NovelExamples
    from evaluation.keyfacts.good_answers import CheckedSentence, GoodAnswerFigures
    from evaluation.keyfacts.retrieving import QuotationRanks
    from evaluation.keyfacts.writing import DescribedPerson, WritingFigures


_TEXTS = {Task.DESCRIPTION: "Descriptions", Task.ANALYSIS: "Analyses"}
_CORPUS = "Give a folder with a folder `portraits`, as evaluation/corpus has it."


class NovelsMissing(BookwormError):
    code = "novels_missing"
    remedy = "Give the folder with the texts that the corpus was made from: see evaluation/corpus/README.md."


def keyfacts(
    context: typer.Context,
    novels: CorpusTexts,
    corpus: CorpusFolder = None,
    split: Annotated[
        str, typer.Option(help="The titles to measure on: train, dev or test. Nothing was made with test.")
    ] = "test",
    judge: Annotated[str, typer.Option(help="The judge.")] = "offline",
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    json: JsonFlag = False,
) -> None:
    """Measure what is found, cited and borne out of the corpus' key facts. The judge finds the evidence."""
    from evaluation.keyfacts.checking import by_category, checked
    from evaluation.keyfacts.citing import cited, figures
    from evaluation.keyfacts.retrieving import DEPTHS

    if split not in get_args(Split):
        raise typer.BadParameter(f"“{split}” is none of {', '.join(get_args(Split))}", param_hint="--split")
    session = Session.of(context)
    folder = work or session.settings.data_dir / "keyfacts"
    asked = session.engines.judge_called(judge, examined=False)
    facts: list[CheckedFact] = []
    citations: list[CitedClaim] = []
    chosen = _novels(split, corpus)
    for novel, book, resolved in _opened(session, chosen, novels, folder, only_resolved):
        facts += checked(novel, book, resolved, asked)
        citations += cited(novel, book, resolved)
    if not facts:
        raise NovelsMissing(f"{novels} has no novel of the split {split}.")
    found = by_category(facts)
    titles = {f.novel for f in facts}
    kept = figures(citations)
    told, written, good = _told(session, [n for n in chosen if n.novel in titles], novels, folder)
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
            f"of the sentences cite one, {texts.sentences_counting:.1%} only count, {texts.words:.0f} words."
        )
    output.out.print(
        f"Key facts written with their citations: {_share(good.cited)} keep one that holds, "
        f"{_share(good.rightly)} of these of their own quotation; a judge that knows the quotations supports "
        f"{_share(good.supported)} and contradicts {_share(good.contradicted)}; offline "
        f"{_share(good.offline_supported)} are supported. Of false facts written beside them "
        f"{_share(good.false_offered)} have a citation, and {_share(good.false_cited)} after that judge."
    )


def _told(
    session: Session, novels: Sequence[CorpusNovel], texts: Path, folder: Path
) -> tuple[QuotationRanks, dict[Task, WritingFigures], GoodAnswerFigures]:
    """Measure what is found of a person, what texts cite, and what the check makes of good answers."""
    from evaluation.corpus.quotations import path_of
    from evaluation.keyfacts import good_answers
    from evaluation.keyfacts.examples import examples_of
    from evaluation.keyfacts.retrieving import ranks
    from evaluation.keyfacts.writing import described, figures
    from evaluation.portraits.types import SystemEngines
    from evaluation.portraits.workroom import Workroom
    from generation.checking.judges.offline_judge import OfflineJudge
    from generation.registry import make_generator
    from retrieval.registry import make_embedder
    from retrieval.telling.head import shipped

    embedder, judge = make_embedder(), OfflineJudge()
    engines = SystemEngines(embedder, judge)
    room = Workroom(folder, session.engines.resolver, embedder, output.tell)
    made: list[NovelExamples] = []
    people: dict[Task, list[DescribedPerson]] = {task: [] for task in _TEXTS}
    checked: list[CheckedSentence] = []
    for novel in novels:
        with room.open(path_of(novel, texts)) as opened:
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
        return list(novels(split, corpus))  # type: ignore[arg-type]
    except (OSError, ValueError) as error:
        raise NovelsMissing(f"{corpus} is no corpus: {error}", remedy=_CORPUS) from error


def _opened(
    session: Session, novels: Sequence[CorpusNovel], texts: Path, folder: Path, only_resolved: bool
) -> Iterator[tuple[CorpusNovel, Book, Annotations]]:
    from evaluation.keyfacts.opening import opened

    resolver = session.engines.resolver
    for novel in novels:
        found = opened(novel, texts, folder, resolver, tell=output.tell, only_resolved=only_resolved)
        if found is None:
            output.tell(f"{novel.title} is left out.")
        else:
            yield novel, *found


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
