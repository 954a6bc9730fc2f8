"""The same small stories in many languages, written for these tests."""

from __future__ import annotations

from pathlib import Path


def _read() -> dict[str, str]:
    text = (Path(__file__).parent / "data" / "passages.txt").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in text.split("== ")[1:])
    return {name.strip(): passage.strip() for name, _, passage in parts}


PASSAGES = _read()
"""By ISO 639-1 code, with `-kind` after it where there are several."""
