"""Read JSON lines that somebody else wrote. Each becomes a value, or an error with its line number."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

_TOLD = 8
"""Errors listed in one message."""

T = TypeVar("T")


def read_lines(path: Path, make: Callable[[Mapping[str, Any], int], T]) -> tuple[list[T], list[str]]:
    """Return what `make` makes of each line and its number, and the errors, which it raises as a ValueError.

    Raises UnicodeDecodeError, a ValueError too, for a file that is not text.
    """
    with path.open(encoding="utf-8-sig", newline="\n") as file:
        return parse_lines(file, make)


def parse_lines(
    lines: Iterable[str], make: Callable[[Mapping[str, Any], int], T]
) -> tuple[list[T], list[str]]:
    """Do the same with the lines of a file.

    They end with "\\n" only: a text may hold the rarer line ends, which JSON lets stand as they are.
    """
    made: list[T] = []
    wrong: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            if not isinstance(told, dict):
                raise ValueError("it is not a JSON object")
            made.append(make(told, number))
        except json.JSONDecodeError as error:
            wrong.append(f"line {number}: no JSON ({error})")
        except ValueError as error:
            wrong.append(f"line {number}: {error}")
    return made, wrong


def complaint(wrong: Sequence[str], *, of: str) -> str:
    """Return one message about several lines, which lists the first of them."""
    more = f"\nand {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
    return "\n".join((f"{of} can't be used.", *wrong[:_TOLD])) + more


def text_of(told: Mapping[str, Any], name: str) -> str:
    value = told[name]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"`{name}` must be a text that is not empty")
    return value.strip()
