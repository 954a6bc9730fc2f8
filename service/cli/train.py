"""`bookworm train coref`: the literary model from annotated documents; stopped, it goes on where it was."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli import output
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from coref.training.checkpoint import Epoch, Story

train = typer.Typer(no_args_is_help=True)


@train.callback()
def _group() -> None:
    """Train Bookworm's own models."""


@train.command()
def coref(
    litbank: Annotated[
        Path, typer.Option("--litbank", metavar="FOLDER", exists=True, file_okay=False, help="LitBank.")
    ],
    to: Annotated[Path, typer.Option("--output", metavar="FOLDER", help="Where weights and story go.")],
    ewt: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", exists=True, file_okay=False, help="UD English EWT, for grammar."),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="At most; fewer when nothing gets better.")] = 14,
    seed: Annotated[int, typer.Option(help="Of the order, the first weights and the dropout.")] = 1,
    threads: Annotated[int | None, typer.Option(min=1, help="Of the processor; all, by default.")] = None,
    json: JsonFlag = False,
) -> None:
    """Train on LitBank's train.ids and EWT's train; LitBank's dev.ids choose the epoch."""
    story = _trained(litbank, ewt, to, epochs=epochs, seed=seed, threads=threads)
    if json:
        output.write_json(asdict(story))


def _trained(
    litbank: Path, ewt: Path | None, to: Path, *, epochs: int, seed: int, threads: int | None
) -> Story:
    import torch

    from coref.native.encoder import load_encoder
    from coref.native.network import Network
    from coref.native.pieces import Pieces
    from coref.training import ewt as ud
    from coref.training.example import example_of
    from coref.training.fit import Plan, fit
    from coref.training.grammar import grammar_example
    from coref.training.litbank import load, read_ids
    from evaluation.coref.native import measure
    from retrieval.embedders.minilm import package_folder

    if threads is not None:
        torch.set_num_threads(threads)
    folder = package_folder()
    pieces = Pieces(folder)
    train_on, choose_by = (
        [example_of(document, pieces) for document in load(litbank, read_ids(litbank / f"{name}.ids"))]
        for name in ("train", "dev")
    )
    sentences, unseen = ([], []) if ewt is None else (ud.read(ewt, "train"), ud.read(ewt, "dev"))
    vocabulary = ud.vocabulary_of(sentences) if sentences else None
    treebank = [grammar_example(part, vocabulary, pieces) for part in ud.together(sentences) if vocabulary]
    torch.manual_seed(seed)
    network = Network(load_encoder(folder), vocabulary=vocabulary)
    plan = Plan(epochs=epochs, seed=seed)
    measured = partial(measure, examples=choose_by, treebank=list(ud.together(unseen)), pieces=pieces)
    return fit(
        network,
        train_on,
        plan,
        treebank=treebank,
        mask=pieces.mask,
        folder=to,
        measure=measured,
        told=_tell,
    )


def _tell(epoch: Epoch) -> None:
    losses = ", ".join(f"{name} {value:.3f}" for name, value in epoch.losses.items())
    found = ", ".join(f"{name} {value:.3f}" for name, value in epoch.measured.items())
    output.tell(f"epoch {epoch.number + 1} ({epoch.seconds:.0f} s): lost {losses}; {found}")
