"""Where the training commands write is checked before anything is trained."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.main import get_command

from service.cli.exits import Exit
from service.cli.train import train
from tests.cli.conftest import Bookworm

WRITING = {
    name: next(found for found in command.params if "--output" in found.opts)
    for name, command in vars(get_command(train))["commands"].items()
    if name != "lora" and any("--output" in found.opts for found in command.params)
}


@pytest.mark.parametrize("name", WRITING)
def test_what_cannot_be_written_is_refused_at_once(bookworm: Bookworm, tmp_path: Path, name: str) -> None:
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    other_kind = tmp_path if WRITING[name].metavar == "FILE" else file
    for to in (other_kind, file / "below"):
        ran = bookworm("train", name, "--output", str(to))
        assert ran.status == Exit.USAGE
        assert "--output" in ran.err
        assert "issing" not in ran.err
