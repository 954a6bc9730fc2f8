"""`bookworm train pack`: converts the result of a training to the weights that the resolver loads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from books.errors import BookwormError
from coref.native.weights import PLACE, WeightsOrigin, save_weights
from coref.training.commands.options import folder_given, folder_option
from service.cli import output

if TYPE_CHECKING:
    from coref.native.network import LiteraryNetwork

LITBANK = "LitBank, CC BY 4.0"
EWT = "UD English EWT, CC BY-SA 4.0"
EXCERPTS = "excerpts of Bookworm's corpus, CC0 1.0"


class TrainingInvalid(BookwormError):
    code = "training_invalid"
    remedy = "Use the --output of `bookworm train coref`, and the same --ewt."


def pack(
    training: Annotated[Path, folder_given("--from", "Output folder of a training.")],
    version: Annotated[str, typer.Option("--version", help="Version of the weights.")],
    to: Annotated[
        Path, folder_option("--to", "Folder for the weights. The default is this installation.")
    ] = PLACE,
    ewt: Annotated[Path | None, folder_given("--ewt", "The same as for the training.")] = None,
    trained_on: Annotated[
        list[str] | None,
        typer.Option("--trained-on", metavar="TEXT", help="A data set and its licence; may be repeated."),
    ] = None,
    last: Annotated[
        bool, typer.Option("--last", help="Use the final average instead of the best epoch.")
    ] = False,
) -> None:
    """Write the weights of the best epoch in 16 bits, with a manifest, where the resolver loads them."""
    from coref.training.checkpoint import STORY

    try:
        story = json.loads((training / STORY).read_text("utf-8"))
        epochs = story["epochs"]
        chosen = epochs[-1] if last else max(epochs, key=lambda epoch: epoch["measured"]["score"])
        network = _network(training, ewt, last=last)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise TrainingInvalid(f"{training} contains no training that can be packed: {error}.") from error
    sources = {LITBANK: True, EXCERPTS: "conll_meant" in chosen["measured"], EWT: ewt is not None}
    used = [source for source, is_used in sources.items() if is_used]
    origin = WeightsOrigin(
        version=version,
        trained_on=tuple(trained_on or used),
        command=_command(story["plan"], used),
        plan=story["plan"],
        figures={"epoch": chosen["number"] + 1, **chosen["measured"]},
    )
    manifest = save_weights(network, to, origin)
    output.tell(f"{manifest.size / 1e6:.1f} MB in {to}")


def _network(training: Path, ewt: Path | None, *, last: bool) -> LiteraryNetwork:
    from safetensors import SafetensorError

    from coref.native.encoder import load_encoder
    from coref.native.minilm import encoder_folder
    from coref.native.network import LiteraryNetwork
    from coref.training import checkpoint
    from coref.training.english_treebank import read, vocabulary_of

    vocabulary = None if ewt is None else vocabulary_of(read(ewt, "train"))
    network = LiteraryNetwork(load_encoder(encoder_folder()), vocabulary=vocabulary)
    try:
        network.load_state_dict(checkpoint.last(training) if last else checkpoint.best(training))
    except SafetensorError as error:
        raise ValueError("its weights are damaged") from error
    return network


def _command(plan: Mapping[str, Any], used: Sequence[str]) -> str:
    from coref.training.network_training import CorefTrainingPlan

    data = " --excerpts" * (EXCERPTS in used) + " --ewt EWT" * (EWT in used)
    usual = CorefTrainingPlan()
    start = f" --start FOLDER --rate {plan['head_rate'] / usual.head_rate:g}" if plan.get("trained") else ""
    rest = f"--epochs {plan['epochs']} --seed {plan['seed']} --output FOLDER"
    return f"bookworm train coref --litbank LITBANK{data}{start} {rest}"
