"""`bookworm train certainty`: trains the probability of mentions on LitBank's excerpts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from coref.training.commands.options import LitBank, LitBankNovels, WeightsFile
from coref.training.commands.pack import LITBANK
from service.cli import output
from service.cli.device_options import Threads, ready
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from coref.native.resolver import NativeResolver
    from coref.training.certainty_lessons import CertaintyLesson

_WORDS = 12_500


class CertaintyTrainingInvalid(BookwormError):
    code = "certainty_training_invalid"
    remedy = "Use LitBank with its novels, and leave at least one document of train.ids and of dev.ids."


def certainty(
    litbank: LitBank,
    novels: LitBankNovels,
    to: WeightsFile,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="PART", help="Leave out documents whose name begins with this."),
    ] = None,
    words: Annotated[
        int, typer.Option("--words", min=1, help="Words of each novel that are resolved.")
    ] = _WORDS,
    strictness: Annotated[
        float | None, typer.Option(min=0.001, help="Regularization towards weights that all mentions share.")
    ] = None,
    threads: Threads = None,
    json: JsonFlag = False,
) -> None:
    """Train the probability of mentions on LitBank's train.ids, and recalibrate it on dev.ids."""
    ready(threads)
    from coref.names.certainty import write
    from coref.native.resolver import NativeResolver
    from coref.training.certainty_training import STRICTNESS, learn, recalibrated, story_of
    from coref.training.litbank import LitbankDamaged

    drawn = STRICTNESS if strictness is None else strictness
    try:
        resolver = NativeResolver()
        seen, unseen = (
            list(_lessons(resolver, litbank, novels, _names(litbank, part, without or ()), words))
            for part in ("train", "dev")
        )
        model = learn(seen, strictness=drawn)
        told = story_of(model, seen, unseen)
        final = recalibrated(model, unseen)
    except (LitbankDamaged, OSError, ValueError) as error:
        raise CertaintyTrainingInvalid(f"The certainty cannot be trained: {error}.") from error
    story = {"on": f"mentions of {LITBANK}", "strictness": drawn, "words": words, **told}
    to.write_text(write(final, story), encoding="utf-8")
    if json:
        output.write_json(story)
    else:
        output.tell(f"Weights in {to}")


def _names(litbank: Path, part: str, without: Sequence[str]) -> list[str]:
    from coref.training.litbank import read_ids

    return [name for name in read_ids(litbank / f"{part}.ids") if not name.startswith(tuple(without))]


def _lessons(
    resolver: NativeResolver, litbank: Path, novels: Path, names: Sequence[str], words: int
) -> Iterator[CertaintyLesson]:
    from coref.training.certainty_lessons import lessons

    for name in names:
        output.tell(f"Resolving {name}")
        yield from lessons(resolver, litbank, novels, [name], words=words)
