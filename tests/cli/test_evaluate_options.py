"""Options that choose among novels: what leaves out every one is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.cli.exits import Exit
from tests.cli.conftest import Bookworm


@pytest.mark.parametrize("command", ["meant", "memory", "questions", "summaries"])
def test_an_unknown_split_is_refused(bookworm: Bookworm, tmp_path: Path, command: str) -> None:
    ran = bookworm("evaluate", command, "--novels", str(tmp_path), "--split", "nosuch")
    assert ran.status == Exit.USAGE
    assert "one of train, dev, test" in ran.err


def test_what_leaves_out_every_cast_is_told(bookworm: Bookworm, tmp_path: Path) -> None:
    (tmp_path / "113_the_secret_garden.txt").write_text("# One\n\nMary had a robin.\n", "utf-8")
    command = ("evaluate", "cast", "--novels", str(tmp_path))
    assert "Leave out --only-resolved" in bookworm(*command, "--only-resolved").err
    assert "is used here" in bookworm(*command, "--only", "Silas Marner").err
    (tmp_path / "113_the_secret_garden.txt").unlink()
    assert "the texts that the corpus was made from" in bookworm(*command).err


def test_a_name_that_no_novel_of_pdnc_has_is_told(bookworm: Bookworm, tmp_path: Path) -> None:
    (tmp_path / "Emma").mkdir()
    (tmp_path / "Emma" / "quotation_info.csv").touch()
    ran = bookworm("evaluate", "certainty", "--pdnc", str(tmp_path), "--only", "alice")
    assert ran.status == Exit.USAGE
    assert "No novel's name contains “alice”" in ran.err
