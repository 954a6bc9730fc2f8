"""Options and arguments that several commands share."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from service.formats import listed


class OfOne(StrEnum):
    """Tasks about a single character."""

    DESCRIPTION = "description"
    ANALYSIS = "analysis"


def engine(kind: str, module: str, registry: str) -> Any:
    """The option for an engine that exists. Its registry is imported only if the option is given."""

    def check(name: str | None) -> str | None:
        from generation.registry import offered

        if name and name not in (known := getattr(import_module(module), registry)):
            raise typer.BadParameter(
                f"there is no “{name}”; choose one of {', '.join(sorted(offered(known)))}."
            )
        return name

    told = f"{kind.capitalize()} to use; see `bookworm doctor`."
    return typer.Option(f"--{kind}", callback=check, help=told)


JsonFlag = Annotated[bool, typer.Option("--json", help="Write one JSON document to stdout.")]
MarkdownFlag = Annotated[
    bool, typer.Option("--markdown", help="Write Markdown to stdout, with the sources as footnotes.")
]
Book = Annotated[
    str, typer.Argument(metavar="BOOK", help="Id or title of a book, or a file, which is added if it is new.")
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name, alias or id of a character.")]
Novel = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", exists=True, dir_okay=False, help=f"A novel as {listed()}, optionally gzipped."
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding", metavar="NAME", help="Encoding of the text, such as gb18030, if detection fails."
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="Process the book although its language is not supported.")
]
Title = Annotated[str | None, typer.Option("--title", help="Title to use instead of the one in the file.")]
Author = Annotated[str | None, typer.Option("--author", help="Author to use instead of the one in the file.")]
Upto = Annotated[
    str | None,
    typer.Option(
        "--upto", metavar="PLACE", help="How far you have read: a chapter (`5`) or a paragraph (`p:120`)."
    ),
]
Wait = Annotated[
    bool, typer.Option("--wait/--no-wait", help="Wait here until it is done, or leave it to the workers.")
]
Retriever = Annotated[
    str | None, typer.Option("--retriever", help="Retriever to use; see `bookworm doctor`.")
]
Generator = Annotated[str | None, engine("generator", "generation.registry", "GENERATORS")]
Judge = Annotated[str | None, engine("judge", "generation.registry", "JUDGES")]
Resolver = Annotated[str | None, engine("resolver", "coref.registry", "RESOLVERS")]
Words = Annotated[int | None, typer.Option("--words", min=20, max=2000, help="Approximate number of words.")]
Seed = Annotated[int, typer.Option("--seed", help="Random seed. The same seed gives the same answer.")]
Refresh = Annotated[
    bool, typer.Option("--refresh", help="Generate it again instead of using a stored answer.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Output file, or folder for booknlp and csv. The default is stdout."),
]


def check_form(*, markdown: bool, json: bool) -> None:
    if markdown and json:
        raise typer.BadParameter("--markdown and --json cannot be used together.")
