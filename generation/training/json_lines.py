"""Lines of JSON that somebody else wrote: each becomes a value, or its number is told with what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

_TOLD = 8
"""Mistakes listed in one message."""

T = TypeVar("T")


def read_lines(path: Path, make: Callable[[Mapping[str, Any], int], T]) -> tuple[list[T], list[str]]:
    """What `make` makes of each line and its number, and what is wrong: it says so by a ValueError.

    Raises UnicodeDecodeError, a ValueError too, for what is no text.
    """
    made: list[T] = []
    wrong: list[str] = []
    # Only at "\n": a text may hold the rarer line ends, which JSON lets stand as they are.
    for number, line in enumerate(path.read_text("utf-8-sig").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            if not isinstance(told, dict):
                raise ValueError("it is no JSON object")
            made.append(make(told, number))
        except json.JSONDecodeError as error:
            wrong.append(f"line {number}: no JSON ({error})")
        except ValueError as error:
            wrong.append(f"line {number}: {error}")
    return made, wrong


def complaint(wrong: Sequence[str], *, of: str) -> str:
    """One message about several lines, of which it lists the first."""
    more = f"\nand {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
    return "\n".join((f"{of} can't be used.", *wrong[:_TOLD])) + more


def text_of(told: Mapping[str, Any], name: str) -> str:
    value = told[name]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"`{name}` must be a text, and not empty")
    return value.strip()
