"""`bookworm evaluate …`, called as a function."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.main import get_command

from evaluation.commands.evaluate import evaluate


def evaluated(*words: object) -> int:
    main = get_command(evaluate).main
    return int(main([str(word) for word in words], prog_name="evaluate", standalone_mode=False) or 0)


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    """Return what a command prints as JSON, and it alone."""
    capsys.readouterr()
    assert evaluated(*words, "--json") == 0
    return json.loads(capsys.readouterr().out)
