"""`bookworm models`: lists the language models on this machine, and `models use` chooses one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from generation.models.types import LEAST_CONTEXT
from service.cli import files, output
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from generation.models.openai.local_servers import LocalModel
    from generation.models.what_fits import Room
    from service.settings import Settings

SETTINGS = Path(".env")
"""In the working folder, where the settings are read from."""

models = typer.Typer(
    help="List the language models on this machine, and choose one.", invoke_without_command=True
)


@models.callback()
def list_(context: typer.Context, json: JsonFlag = False) -> None:
    """Without a command: list the models of the server in the settings, and of those on this machine:
    Ollama, LM Studio, llama.cpp and vLLM.
    """
    if context.invoked_subcommand is not None:
        return
    from generation.models.openai.local_servers import USUAL_PORTS
    from generation.models.what_fits import room_here
    from service.usecases.language_models import available

    engines = Session.of(context).engines
    found, current = available(engines), engines.default
    room = room_here()
    if json:
        from service.health.engine_status import set_up
        from service.wire.operations import ModelsOut

        told = ModelsOut.of(current, found, fixed=engines.rule.fixed, offered=set_up(engines))
        output.write_json({**told.model_dump(), "room": {**plain(room), "billions": room.billions}})
        return
    if not found:
        ports = ", ".join(f"{server} on port {port}" for port, server in USUAL_PORTS.items())
        output.tell(f"No server of language models answers on this machine; looked for {ports}.")
        output.tell(_fitting(room))
        output.tell("Start one, such as `ollama serve`, or set `BOOKWORM_OPENAI_URL`. See docs/models.md.")
        return
    table = output.table("", "Model", "Context")
    for each in found:
        used = current.uses(each)
        size = "unknown" if each.context is None else f"{each.context:,} tokens"
        table.add_row("✓" if used else "", Text(each.name), size)
    output.out.print(table)
    for each in found:
        if current.uses(each) and each.remedy:
            output.tell(f"{each.name} writes. {each.remedy}")
    output.tell(_fitting(room))
    output.tell("Choose one with `bookworm models use NAME`.")


def _fitting(room: Room) -> str:
    where = (
        "this machine, where no GPU was found and writing is slow" if room.device == "cpu" else room.device
    )
    if not room.billions:
        return f"There is too little memory on {where} for a model."
    weights = f"about {room.billions} billion weights in 4 bits"
    return f"{room.free / 10**9:.0f} GB are free on {where}: models of up to {weights} fit."


@models.command()
def use(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A model, for example ollama:llama3.1:8b.")],
    tokens: Annotated[
        int | None,
        typer.Option(
            "--context",
            min=LEAST_CONTEXT,
            metavar="TOKENS",
            help="For Ollama: use a variant of the model with this context. It takes no disk space.",
        ),
    ] = None,
) -> None:
    """Write answers with this model from now on: the choice is kept in the data folder."""
    from service.usecases.language_models import choose_model

    model = choose_model(Session.of(context).engines, name, context=tokens)
    output.tell(f"Answers are now written by {model.name}.")


@models.command()
def key(
    context: typer.Context,
    url: Annotated[
        str | None, typer.Option("--url", help="Address of the server, such as https://api.openai.com/v1.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="Name of the model on that server.")] = None,
) -> None:
    """Set the key of a server, which is asked for and not shown. It is written to `.env` in this folder.

    With a URL or a model, a choice made before is withdrawn. The settings of another server are removed.
    """
    from generation.models.openai.address import read_address

    engines = Session.of(context).engines
    if url is not None:
        read_address(url, key=None)
    secret = typer.prompt("Key", hide_input=True).strip()
    values: dict[str, str | None] = {"BOOKWORM_OPENAI_KEY": secret}
    if url or model:
        values["BOOKWORM_OPENAI_MODELS"] = None
    if url and url != engines.settings.openai_url:
        values |= {"BOOKWORM_OPENAI_URL": url, "BOOKWORM_OPENAI_MODEL": None, "BOOKWORM_OPENAI_CONTEXT": None}
    if model:
        values["BOOKWORM_OPENAI_MODEL"] = model
    write_settings(SETTINGS, values, private=True)
    rule = engines.rule
    if (url or model) and not rule.fixed:
        rule.choose(None)
    output.tell(f"The key is in {SETTINGS}, which only you can read.")


def write_with(context: typer.Context, name: str | None) -> None:
    """Let a model write the answers of this command. Must come before the settings are read."""
    if name is not None:
        from service.usecases.language_models import find

        session = Session.of(context)
        usual = replace(session).engines
        model = find(usual, name)
        written = {"generator": "openai", "openai_url": model.url, "openai_model": model.model}
        session.overrides |= {**for_others(model, usual.settings), **written}


def for_others(model: LocalModel, settings: Settings) -> dict[str, object]:
    """Return the settings that may be for others, as they are for this model.

    A task with a model of its own gets this one: an empty table would be filled up from the environment.
    """
    others: dict[str, object] = {"openai_models": dict.fromkeys(settings.openai_models, model.model)}
    if model.url != settings.openai_url:
        others |= {"openai_key": None, "openai_context": None}
    return others


def write_settings(file: Path, values: Mapping[str, str | None], *, private: bool = False) -> None:
    """Set values in a file of settings, and remove those that are None. Its other lines stay as they are.

    If `private`, only its owner may read it.
    """
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    kept = [line for line in lines if line.partition("=")[0].removeprefix("export ").strip() not in values]
    text = "\n".join([*kept, *(f"{name}={value}" for name, value in values.items() if value is not None)])
    files.write_text(file, text + "\n", private=private)
