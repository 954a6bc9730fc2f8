"""What the documents tell their reader to type exists: commands, their options, and modules that are run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from typer.main import get_command

from service.cli.app import app
from tests.docs.tables import DOCUMENTS

_LINE = re.compile(r"(?:[A-Z_]+=\S+ +)*(bookworm .+)")
_ANYWHERE = ("--help", "-h", "--install-completion", "--version", "--data-dir", "--library", "--verbose")


def typed() -> Iterator[str]:
    """The lines of console blocks, and what stands in back-ticks."""
    for path in DOCUMENTS:
        text = path.read_text("utf-8")
        for block in re.findall(r"```console\n(.*?)```", text, re.S):
            yield from (line.removeprefix("$ ") for line in block.replace("\\\n", " ").splitlines())
        yield from re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S))


COMMANDS = sorted({found[1] for line in typed() if (found := _LINE.fullmatch(line.strip()))})
MODULES = sorted({m for line in typed() for m in re.findall(r"python -m ([\w.]+)", line)})


def test_there_are_some() -> None:
    assert len(COMMANDS) > 40
    assert MODULES


def unknown(line: str, command: Any) -> set[str]:
    """The words of a line that are no command and no option of its command."""
    words = shlex.split(line.partition(" > ")[0])[1:]
    while words and hasattr(command, "commands") and not words[0].startswith("-"):
        name = words.pop(0)
        if name in ("COMMAND", "…"):
            return set()
        if name not in command.commands:
            return {name}
        command = command.commands[name]
    known = {option for p in command.params for option in (*p.opts, *p.secondary_opts)}
    return {w.partition("=")[0] for w in words if re.match(r"--?[a-z]", w)}.difference(known, _ANYWHERE)


def test_commands_and_their_options_exist() -> None:
    bookworm = get_command(app)
    assert not {line: found for line in COMMANDS if (found := unknown(line, bookworm))}


def test_a_module_that_is_run_exists() -> None:
    assert not [module for module in MODULES if not find_spec(module)]
