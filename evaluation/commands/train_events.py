"""`bookworm train events`: train the head that scores sentences by what they tell of the story."""

from __future__ import annotations

from typing import Annotated

import typer

from coref.training.commands.options import WeightsFolder
from evaluation.commands.options import CorpusTexts, OnlyNovels, OnlyResolved, ResolvedBooks
from service.cli import output
from service.cli.session import Session


def events(
    context: typer.Context,
    novels: CorpusTexts,
    to: WeightsFolder,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    seed: Annotated[int, typer.Option("--seed")] = 0,
) -> None:
    """Train on the corpus' train novels. `bookworm evaluate summaries` measures it."""
    from safetensors.numpy import save_file

    from evaluation.summaries.examples import novel_events
    from evaluation.summaries.opening import opened_novels
    from retrieval.events.sentences import WEIGHTS
    from retrieval.events.training import EventCourse, train

    books = []
    session = Session.of(context)
    train_novels = opened_novels(
        "train",
        texts=novels,
        work=work or session.settings.data_dir / "keyfacts",
        resolver=session.engines.resolver,
        only_resolved=only_resolved,
        tell=output.tell,
        only=only or (),
    )
    for novel, opened in train_novels:
        rows = novel_events(novel, opened).rows
        books.append(rows)
        output.tell(f"{novel.title}: {len(rows.signs):,} sentences, {len(rows.wanted)} quotations")
    if not books:
        raise typer.BadParameter("None of the train novels is there.", param_hint="--novels")
    weights = train(books, EventCourse(seed=seed))
    to.mkdir(parents=True, exist_ok=True)
    save_file(weights, to / WEIGHTS)
