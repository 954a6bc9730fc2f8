"""The options of every command that has something written, told once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from generation.types import Strategy
from service.cli import files
from service.cli.options import Generator, JsonFlag, Refresh, Retriever, Seed, Upto, Words

if TYPE_CHECKING:
    from service.usecases.answer_request import Wanted

StrategyOption = Annotated[
    Strategy | None, typer.Option("--strategy", help="What of the book a language model is shown.")
]
Passages = Annotated[
    int | None, typer.Option("-k", "--k", min=1, max=1000, help="Retrieve at most so many passages.")
]
Cast = Annotated[bool, typer.Option("--cast", help="Name the main characters in the instructions.")]
Summary = Annotated[
    Path | None,
    typer.Option(
        "--summary",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="Show a language model this text in the book's place.",
    ),
]
Temperature = Annotated[
    float | None,
    typer.Option("--temperature", min=0, max=2, help="How freely a language model chooses its words."),
]
Tokens = Annotated[
    int | None, typer.Option("--tokens", min=1, help="Refuse what would take more tokens than that.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Write nothing: say what calls and tokens it would take.")
]
Stream = Annotated[bool, typer.Option("--stream", help="Show it on stderr while it is written.")]


@dataclass(frozen=True, slots=True)
class Asked:
    wanted: Wanted
    dry_run: bool
    stream: bool
    json: bool


def asking(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of `_options`; it finds what they come to in its parameter `asked`."""
    own = inspect.signature(command).parameters
    hints = get_type_hints(command, include_extras=True)
    shared = inspect.signature(_options).parameters
    hints |= get_type_hints(_options, include_extras=True)

    def run(**given: Any) -> None:
        asked = _options(**{name: given.pop(name) for name in shared})
        command(**given, asked=asked)

    parameters = [p for p in (*own.values(), *shared.values()) if p.name != "asked"]
    typed = [p.replace(annotation=hints[p.name], kind=p.KEYWORD_ONLY) for p in parameters]
    run.__signature__ = inspect.Signature(typed)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in typed}
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    return run


def _options(
    upto: Upto = None,
    generator: Generator = None,
    strategy: StrategyOption = None,
    retriever: Retriever = None,
    k: Passages = None,
    cast: Cast = False,
    summary: Summary = None,
    words: Words = None,
    temperature: Temperature = None,
    seed: Seed = 0,
    tokens: Tokens = None,
    refresh: Refresh = False,
    dry_run: DryRun = False,
    stream: Stream = False,
    json: JsonFlag = False,
) -> Asked:
    from service.usecases.answer_request import SUMMARY_MOST, Wanted

    wanted = Wanted(
        upto=upto,
        retriever=retriever,
        generator=generator,
        words=words,
        seed=seed,
        refresh=refresh,
        strategy=strategy,
        k=k,
        temperature=temperature,
        tokens=tokens,
        cast_list=cast,
        summary=None if summary is None else files.read_text(summary, most=SUMMARY_MOST),
    )
    if dry_run and stream:
        raise typer.BadParameter("a dry run writes nothing that could be streamed.")
    return Asked(wanted, dry_run=dry_run, stream=stream, json=json)
