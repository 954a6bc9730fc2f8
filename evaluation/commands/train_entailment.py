"""`bookworm train entailment` and `train citations`: train what judges claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from coref.training.commands.options import WeightsFile
from evaluation.commands.options import CorpusTexts, OnlyResolved, ResolvedBooks
from service.cli import output
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from books.types import Book
    from coref.types import Annotations
    from evaluation.corpus.types import CorpusNovel
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
    from generation.checking.entailment.reading_head import write
    from retrieval.pairs.pair_reader import loaded

    session = Session.of(context)
    folder = work or session.settings.data_dir / "keyfacts"
    try:
        opened = _opened(session, novels, folder, only_resolved)
        made = train(opened, tell=output.tell, reader=loaded(encoder_folder()))
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--novels") from error
    to.write_text(write(made.weights, made.together, made.story), encoding="utf-8")
    if json:
        output.write_json(made.story)
    else:
        output.tell(f"{made.weights.weights.size} weights in {to}")


def _opened(
    session: Session, texts: Path, folder: Path, only_resolved: bool
) -> Iterator[tuple[CorpusNovel, Book, Annotations]]:
    from evaluation.corpus.loading import novels
    from evaluation.keyfacts.opening import opened

    for split in ("train", "dev"):
        for novel in novels(split):
            found = opened(
                novel, texts, folder, session.engines.resolver, tell=output.tell, only_resolved=only_resolved
            )
            if found is not None:
                yield novel, *found
