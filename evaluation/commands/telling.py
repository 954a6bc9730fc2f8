"""`bookworm train telling`: train the head that scores what sentences tell of a character."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coref.training.commands.options import WeightsFile
from evaluation.commands.options import CorpusTexts, ResolvedBooks
from service.cli import output
from service.cli.session import Session

_SHIPPED = "retrieval/telling/weights.safetensors"


def telling(
    context: typer.Context,
    novels: CorpusTexts,
    work: ResolvedBooks = None,
    to: WeightsFile = Path(_SHIPPED),
    epochs: Annotated[int, typer.Option("--epochs", min=1)] = 8,
    seed: Annotated[int, typer.Option("--seed")] = 0,
) -> None:
    """Train on the corpus' train novels, and show how it does on these and on the dev novels."""
    from safetensors.numpy import save_file

    from coref.registry import make_resolver
    from evaluation.corpus import loading
    from evaluation.keyfacts.examples import examples
    from evaluation.keyfacts.retrieving import DEPTHS, ranks
    from evaluation.portraits.workroom import Workroom
    from retrieval.registry import make_embedder
    from retrieval.telling.head import TellingHead
    from retrieval.telling.training import TellingCourse, TellingRows, train

    settings = Session.of(context).settings
    folder = work or settings.data_dir / "keyfacts"
    room = Workroom(folder, make_resolver(settings.resolver), make_embedder(), output.tell)
    try:
        made = {
            split: [examples(n, novels, room) for n in loading.novels(split)] for split in ("train", "dev")
        }
    except FileNotFoundError as error:
        raise typer.BadParameter(str(error), param_hint="--novels") from error
    rows = [
        TellingRows(example.candidates.signs, example.vectors, example.labels)
        for novel in made["train"]
        for example in novel.people
        if example.labels.any()
    ]
    weights = train(rows, TellingCourse(epochs=epochs, seed=seed))
    head = TellingHead(weights)
    for split, few in made.items():
        found = ranks(few, lambda example: head(example.candidates.signs, example.vectors))
        shares = ", ".join(f"{found.share(depth):.1%} in {depth}" for depth in DEPTHS)
        output.out.print(f"{split}: {len(found.every) + found.lost} quotations, {shares} passages")
    save_file(weights, to)
    output.out.print(f"Wrote {to}.")
