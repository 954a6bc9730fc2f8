"""`make bench-story` once, with a few pages."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks import story, timing


def test_the_story_of_a_few_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(timing, "save", partial(timing.save, folder=tmp_path))
    monkeypatch.setattr(story, "bind", lambda _: None)
    monkeypatch.setattr(story, "alone", lambda work, *arguments: work(*arguments))
    status = story.main(["--words", "1000", "4000", "--resolver", "rules", "--embedder", "hashing"])
    result: dict[str, Any] = json.loads((tmp_path / "story.json").read_text("utf-8"))["result"]
    short, longer = result["by_length"]
    assert 1_000 <= short["words"] < longer["words"] < 4_500
    assert short["chapters"] < longer["chapters"]
    for one in (short, longer):
        for step in ("opening", "summaries", "book", "recap"):
            assert one[step]["processor"] > 0
        assert one["peak_mib"] > 0
    assert status == (0 if all(goal["met"] for goal in result["goals"]) else 1)
    assert "All chapters" in capsys.readouterr().out
