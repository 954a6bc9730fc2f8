"""`bookworm train entailment` and `train citations`: train what judges claims."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from coref.training.commands.options import WeightsFile
from evaluation.commands.options import CorpusTexts, OnlyResolved, ResolvedBooks, room_for
from service.cli import output
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.entailment.training import TrainedHead


def entailment(
    context: typer.Context,
    novels: CorpusTexts,
    to: WeightsFile,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    json: JsonFlag = False,
) -> None:
    """Train the entailment head on the corpus' split train, and set its thresholds with dev."""
    from evaluation.entailment.training import train

    _train(context, novels, to, work, only_resolved, json, train)


def citations(
    context: typer.Context,
    novels: CorpusTexts,
    to: WeightsFile,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    json: JsonFlag = False,
) -> None:
    """Train the head that decides which citations hold, on the corpus' split train."""
    from evaluation.entailment.citation_examples import citation_examples
    from evaluation.entailment.fitting import CITATION
    from evaluation.entailment.training import train
    from generation.checking.entailment.reading_head import as_one

    learn = partial(train, make=citation_examples, goal=CITATION, texts=as_one)
    _train(context, novels, to, work, only_resolved, json, learn)


def _train(
    context: typer.Context,
    novels: Path,
    to: Path,
    work: Path | None,
    only_resolved: bool,
    json: bool,
    train: Callable[..., TrainedHead],
) -> None:
    from coref.native.minilm import encoder_folder
    from evaluation.corpus import loading
    from generation.checking.entailment.reading_head import write
    from retrieval.pairs.pair_reader import loaded

    room = room_for(context, work)
    taught = chain(loading.novels("train"), loading.novels("dev"))
    opened = room.open_novels(taught, novels, only_resolved=only_resolved)
    read = ((novel, each.book, each.annotations) for novel, each in opened)
    try:
        made = train(read, tell=output.tell, reader=loaded(encoder_folder()))
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--novels") from error
    to.write_text(write(made.weights, made.together, made.story), encoding="utf-8")
    if json:
        output.write_json(made.story)
    else:
        output.tell(f"{made.weights.weights.size} weights in {to}")
