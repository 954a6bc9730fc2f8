"""`bookworm train categories`: train the adapter that assigns claims to categories."""

from __future__ import annotations

from typing import Annotated

import typer

from coref.training.commands.options import WeightsFile
from service.cli import output


def categories(
    to: WeightsFile,
    folds: Annotated[
        int, typer.Option(min=0, help="Parts for a measurement on novels that were not seen; 0 for none.")
    ] = 5,
) -> None:
    """Train the adapter that assigns claims to categories, on claims and facts with labels."""
    if folds == 1:
        raise typer.BadParameter(
            "One part leaves nothing to learn from: 0, or 2 and more.", param_hint="--folds"
        )
    from coref.native.minilm import encoder_folder
    from evaluation.facts.category_lessons import agreement, claims, facts
    from evaluation.facts.category_training import by_folds, trained
    from retrieval.telling.reader import save

    labelled, written, encoder = claims(), list(facts()), encoder_folder()
    pairs, alike = agreement(labelled)
    output.tell(f"{len(labelled)} claims and {len(written)} facts")
    output.tell(f"Readers agree in {alike:.1%} of {pairs} pairs")
    if folds:
        found = by_folds(labelled, written, encoder, folds, tell=output.tell)
        output.tell(f"Unseen novels: {found.accuracy:.1%} right, macro F1 {found.macro_f1:.1%}")
    weights = trained([*labelled, *written], encoder, tell=output.tell)
    save(weights, to)
    output.tell(f"Weights in {to}")
