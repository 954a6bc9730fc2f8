"""`bookworm train speakers`: trains speaker attribution on the quotations of LitBank."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from books.errors import BookwormError
from coref.training.commands.options import LitBank, LitBankNovels, WeightsFile
from coref.training.commands.pack import LITBANK
from service.cli import output
from service.cli.options import JsonFlag

_STRICTNESS = 1.0


class SpeakersTrainingInvalid(BookwormError):
    code = "speakers_training_invalid"
    remedy = "Use LitBank with its quotations, and the folder with its novels."


def speakers(
    litbank: LitBank,
    novels: LitBankNovels,
    to: WeightsFile,
    strictness: Annotated[
        float, typer.Option(min=0.0, help="Regularization towards the previous weights.")
    ] = _STRICTNESS,
    json: JsonFlag = False,
) -> None:
    """Train speaker attribution on the quotations of LitBank's train.ids and measure it on dev.ids."""
    from coref.speech.speaker_weights import write
    from coref.training.litbank import LitbankDamaged, read_ids
    from coref.training.speaker_training import learn, lessons, score

    try:
        given, kept = (
            lessons(litbank, novels, read_ids(litbank / f"{part}.ids")) for part in ("train", "dev")
        )
    except (LitbankDamaged, OSError) as error:
        raise SpeakersTrainingInvalid(f"The speakers cannot be trained: {error}.") from error
    model = learn(given, strictness=strictness)
    story = {
        "on": f"the quotations of {LITBANK} (train.ids)",
        "strictness": strictness,
        "train": asdict(score(model, given)),
        "dev": asdict(score(model, kept)),
    }
    to.write_text(write(model, story), encoding="utf-8")
    if json:
        output.write_json(story)
    else:
        output.tell(f"{len(model.weights)} weights in {to}")
