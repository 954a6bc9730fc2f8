"""`bookworm train events`: train the head that scores sentences by what they tell of the story."""

from __future__ import annotations

from typing import Annotated

import typer

from coref.training.commands.options import WeightsFolder
from evaluation.commands.options import CorpusTexts, OnlyNovels, OnlyResolved, ResolvedBooks, room_for
from service.cli import output


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

    from evaluation.corpus import loading
    from evaluation.summaries.examples import novel_events
    from retrieval.events.sentences import WEIGHTS
    from retrieval.events.training import EventCourse, train

    books = []
    room = room_for(context, work, embedder="minilm")
    taught = loading.novels("train")
    for novel, opened in room.open_novels(taught, novels, only=only, only_resolved=only_resolved):
        rows = novel_events(novel, opened).rows
        books.append(rows)
        output.tell(f"{novel.title}: {len(rows.signs):,} sentences, {len(rows.wanted)} quotations")
    weights = train(books, EventCourse(seed=seed))
    to.mkdir(parents=True, exist_ok=True)
    save_file(weights, to / WEIGHTS)
