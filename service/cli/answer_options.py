"""Options that are shared by all commands that generate answers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from generation.types import AnswerLanguage, Strategy
from service.cli import files
from service.cli.options import (
    Generator,
    JsonFlag,
    MarkdownFlag,
    Refresh,
    Retriever,
    Seed,
    Upto,
    Words,
    check_form,
)

if TYPE_CHECKING:
    from service.usecases.answer_request import Wanted

Model = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="NAME", help="Language model that writes, of those that `bookworm models` lists."
    ),
]
StrategyOption = Annotated[
    Strategy | None, typer.Option("--strategy", help="Which text of the book a language model receives.")
]
Passages = Annotated[
    int | None, typer.Option("-k", "--k", min=1, max=1000, help="Maximum number of passages to retrieve.")
]
Cast = Annotated[
    bool | None,
    typer.Option("--cast/--no-cast", help="Whether a model's prompt lists the main characters."),
]
LanguageOption = Annotated[
    AnswerLanguage | None,
    typer.Option("--language", help="Language of the answer. By default that of the book."),
]
Summary = Annotated[
    Path | None,
    typer.Option(
        "--summary",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="Give a language model this summary instead of text from the book.",
    ),
]
Temperature = Annotated[
    float | None,
    typer.Option("--temperature", min=0, max=2, help="Sampling temperature of the language model."),
]
Tokens = Annotated[int | None, typer.Option("--tokens", min=1, help="Maximum tokens; refuse to exceed them.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only estimate how many calls and tokens it would take.")
]
Stream = Annotated[bool, typer.Option("--stream", help="Show the text on stderr while it is generated.")]


@dataclass(frozen=True, slots=True)
class Asked:
    wanted: Wanted
    model: str | None
    dry_run: bool
    stream: bool
    markdown: bool
    json: bool


def asking(command: Callable[..., None]) -> Callable[..., None]:
    """Decorator that adds the options of `_options` to a command, which receives them as `asked`.

    An option of the command itself takes the place of a shared one with its name.
    """
    own = inspect.signature(command).parameters
    hints = get_type_hints(_options, include_extras=True) | get_type_hints(command, include_extras=True)
    shared = [p for p in inspect.signature(_options).parameters.values() if p.name not in own]

    def run(**given: Any) -> None:
        asked = _options(**{p.name: given.pop(p.name) for p in shared})
        command(**given, asked=asked)

    parameters = [p for p in (*own.values(), *shared) if p.name != "asked"]
    typed = [p.replace(annotation=hints[p.name], kind=p.KEYWORD_ONLY) for p in parameters]
    run.__signature__ = inspect.Signature(typed)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in typed}
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    return run


def _options(
    upto: Upto = None,
    generator: Generator = None,
    model: Model = None,
    strategy: StrategyOption = None,
    retriever: Retriever = None,
    k: Passages = None,
    cast: Cast = None,
    language: LanguageOption = None,
    summary: Summary = None,
    words: Words = None,
    temperature: Temperature = None,
    seed: Seed = 0,
    tokens: Tokens = None,
    refresh: Refresh = False,
    dry_run: DryRun = False,
    stream: Stream = False,
    markdown: MarkdownFlag = False,
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
        language=language,
        summary=None if summary is None else files.read_text(summary, most=SUMMARY_MOST),
    )
    if dry_run and stream:
        raise typer.BadParameter("--dry-run and --stream cannot be used together.")
    if markdown and dry_run:
        raise typer.BadParameter("--dry-run and --markdown cannot be used together.")
    check_form(markdown=markdown, json=json)
    return Asked(wanted, model, dry_run=dry_run, stream=stream, markdown=markdown, json=json)
