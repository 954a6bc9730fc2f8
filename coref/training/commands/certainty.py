"""`bookworm train certainty`: trains the probability of mentions on LitBank's excerpts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from coref.training.commands.options import LitBank, LitBankNovels, WeightsFile
from coref.training.commands.pack import EXCERPTS, LITBANK
from service.cli import output
from service.cli.device_options import Threads, ready
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from coref.native.resolver import NativeResolver
    from coref.training.certainty_lessons import CertaintyLesson
    from coref.training.litbank_quotations import LitbankPlace
    from evaluation.corpus.meant import MeantExcerpt

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
    """Train the probability of mentions on LitBank's train.ids; recalibrate it on dev.ids and excerpts."""
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
        unseen += _excerpts(resolver, novels)
        model = learn(seen, strictness=drawn)
        told = story_of(model, seen, unseen)
        final = recalibrated(model, unseen)
    except (LitbankDamaged, OSError, ValueError) as error:
        raise CertaintyTrainingInvalid(f"The certainty cannot be trained: {error}.") from error
    story = {"on": f"mentions of {LITBANK}, and of {EXCERPTS}", "strictness": drawn, "words": words, **told}
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


def _excerpts(resolver: NativeResolver, novels: Path) -> Iterator[CertaintyLesson]:
    """Yield the lessons of the corpus' dev novels, each resolved as a whole."""
    from coref.training.certainty_lessons import novel_lesson
    from evaluation.corpus.meant import meant_novels
    from evaluation.corpus.quotations import with_texts
    from evaluation.datasets.shelf import open_book

    for novel, path in with_texts(meant_novels("dev"), novels):
        output.tell(f"Resolving {novel.novel}")
        book = open_book(path)
        excerpts = [_places(excerpt, book.text) for excerpt in novel.excerpts]
        yield novel_lesson(resolver, novel.novel, book, excerpts)


def _places(excerpt: MeantExcerpt, text: str) -> list[LitbankPlace]:
    """Return the places as LitBank's. Who is nobody in particular is nobody else that is mentioned."""
    from coref.training.litbank_quotations import LitbankPlace
    from coref.types import MentionKind

    return [
        LitbankPlace(span, f"alone:{at}" if who is None else who, MentionKind.NOMINAL, person=True)
        for at, ((_, _, who), span) in enumerate(zip(excerpt.places, excerpt.spans(text), strict=True))
    ]
