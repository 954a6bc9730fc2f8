"""A log of finished work, a line of JSON per item: a killed run continues where it stopped.

A line is written whole and flushed before the next item is begun. A line that was cut off by a kill is
removed when the file is opened again; a line that does not parse counts as not done.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evaluation.portraits.errors import RunInUse


class ResultLog:
    """Open for one process at a time."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise RunInUse(f"Another process is writing {path}.") from error
        self._rows: dict[str, dict[str, Any]] = {}
        self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, key: str) -> dict[str, Any] | None:
        return self._rows.get(key)

    def put(self, key: str, row: dict[str, Any]) -> None:
        line = json.dumps({"key": key, **row}, ensure_ascii=False, separators=(",", ":"))
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        self._rows[key] = row

    def _read(self) -> None:
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            self._file.truncate(whole)
        for line in content[:whole].split(b"\n"):
            try:
                row = json.loads(line)
                self._rows[row.pop("key")] = row
            except (ValueError, KeyError, TypeError, AttributeError):
                continue


def key_of(inputs: Mapping[str, object]) -> str:
    """Hash all inputs that could change the stored result."""
    return sha256(json.dumps(inputs, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
