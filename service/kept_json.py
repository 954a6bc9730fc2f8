"""Small JSON files of the data folder, for what would take long to find out again.

A file that is damaged holds nothing, and a folder that cannot be written to keeps nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4


def read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write(file: Path, kept: Mapping[str, Any]) -> None:
    aside = file.with_name(f"{file.name}.{uuid4().hex}")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        aside.replace(file)
