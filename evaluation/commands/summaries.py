"""`bookworm evaluate summaries`: what the summaries of chapters tell of what happens in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from evaluation.commands.options import CorpusSplit, CorpusTexts, OnlyNovels, OnlyResolved, ResolvedBooks
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from evaluation.corpus.types import Split
    from evaluation.summaries.measuring import ChapterScore
    from evaluation.summaries.recaps import RecapScore, Teller

_COLUMNS = {
    "main": "Main event",
    "also": "Other events",
    "words_of_event": "Words of it",
    "main_judged": "Judged main",
    "good_judged": "Judged good",
    "words": "Words",
}
_RECAPS = {
    "words_told": "Words of the recap",
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "words": "Words",
    "tokens": "Tokens",
    "seconds": "Seconds",
}
_NUMBERS = {"words": ",.0f", "tokens": ",.0f", "seconds": ".1f"}
"""How figures that are no shares are written."""


class NoEvents(BookwormError):
    code = "no_events"
    remedy = "Give the folder with the texts that the corpus was made from."


def summaries(
    context: typer.Context,
    novels: CorpusTexts,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    split: CorpusSplit = "dev",
    generator: Annotated[
        str | None,
        typer.Option("--generator", metavar="NAME", help="Generator whose language model writes recaps too."),
    ] = None,
    chunk: Annotated[
        int, typer.Option("--chunk", min=100, help="Tokens of the book that a model reads at once.")
    ] = 8_192,
    json: JsonFlag = False,
) -> None:
    """Measure what summaries of chapters and recaps tell of what happens, beside simpler ones.

    A language model writes recaps by merging what it wrote about parts, by updating one from part to part,
    and with all that was read in its context, where that fits.
    """
    from typing import cast

    from evaluation.corpus.types import SPLITS
    from evaluation.metrics.rouge import Rouge
    from evaluation.summaries.examples import novel_events
    from evaluation.summaries.measuring import score
    from evaluation.summaries.opening import opened_novels
    from evaluation.summaries.recaps import TELLERS, scores
    from evaluation.summaries.systems import SYSTEMS

    if split not in SPLITS:
        raise typer.BadParameter(f"one of {', '.join(SPLITS)}", param_hint="--split")
    session = Session.of(context)
    rouge = Rouge()
    telling = {**TELLERS, **_written(session, generator, chunk)}
    found: dict[str, list[ChapterScore]] = {name: [] for name in SYSTEMS}
    recaps: dict[str, list[RecapScore]] = {name: [] for name in telling}
    opened = opened_novels(
        cast("Split", split),
        texts=novels,
        work=work or session.settings.data_dir / "keyfacts",
        resolver=session.engines.resolver,
        only_resolved=only_resolved,
        tell=output.tell,
        only=only or (),
    )
    for novel, book in opened:
        for name, teller in telling.items():
            recaps[name] += scores(novel, book, teller, rouge)
            for each in recaps[name]:
                if each.why is not None and each.novel == novel.novel:
                    output.tell(f"{name}, {novel.title} to chapter {each.upto}: {each.why}")
        events = novel_events(novel, book)
        if not events.quoted and not (events.rows.judged == events.rows.judged).any():
            continue
        for name, system in SYSTEMS.items():
            found[name] += score(events, book, system, rouge)
    if not any(found.values()):
        raise NoEvents(f"{novels} has none of the novels whose events the corpus knows.")
    if json:
        output.write_json(
            {
                "chapters": {name: plain(each) for name, each in found.items()},
                "recaps": {name: plain(each) for name, each in recaps.items()},
            }
        )
        return
    output.out.print(_table(found, _COLUMNS))
    output.out.print(_table(recaps, _RECAPS))
    output.out.print(
        "Shares of chapters or sentences in percent, with 95% intervals over novels. Main event: the "
        "sentence that the corpus quotes for it is chosen; words of it: its words, as the corpus tells it, "
        "that occur. Judged: of the chosen sentences that readers judged, those that are clear and tell a "
        "main event, or any. Recaps: share of the words of the corpus' recap that occur, and ROUGE.",
        style="dim",
    )


def _written(session: Session, generator: str | None, chunk: int) -> Mapping[str, Teller]:
    from evaluation.summaries.written import tellers
    from generation.registry import make_generator

    if generator is None:
        return {}
    writer = make_generator(generator, setup=session.engines.rule.writers())
    if writer.prompts is None:
        raise typer.BadParameter("one with a language model", param_hint="--generator")
    return tellers(
        writer,
        chunk=chunk,
        temperature=session.settings.temperature,
        embedder=session.engines.embedder,
    )


def _table(found: Mapping[str, Sequence[ChapterScore | RecapScore]], columns: Mapping[str, str]) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Sentences by")
    for heading in columns.values():
        table.add_column(heading, justify="right")
    for name, scores in found.items():
        table.add_row(name, *(_figure(scores, column) for column in columns))
    return table


def _figure(scores: Sequence[ChapterScore | RecapScore], column: str) -> str:
    from evaluation.metrics.statistics import interval

    known = [each for each in scores if getattr(each, column) is not None]
    measured = interval([getattr(each, column) for each in known], books=[each.novel for each in known])
    if measured is None or measured.low is None or measured.high is None:
        return "–"
    if column in _NUMBERS:
        return f"{measured.mean:{_NUMBERS[column]}}"
    return f"{100 * measured.mean:.1f} [{100 * measured.low:.0f}–{100 * measured.high:.0f}]"
