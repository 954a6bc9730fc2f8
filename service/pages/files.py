"""What pages are made of besides their frames: modules, the style, the icon, and a novella to begin with.

Each file is served at two addresses. The one with the edition in it may be kept for ever, because whatever
changes a file changes the edition; and as modules name one another relatively, a page never runs with the
modules of another edition. The plain one is asked for again each time.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

from evaluation import novella

NOVELLA: Final = "novella.txt"
KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".txt": "text/plain"}

_FOLDER: Final = Path(__file__).parent / "static"
_IMPORT: Final = re.compile(r'^(?:import|export) [^;"]*"\./([\w.-]+)";', re.M)


@cache
def files() -> dict[str, bytes]:
    """By name. The novella is the copy that `bookworm demo` reads."""
    found = {path.name: path.read_bytes() for path in sorted(_FOLDER.iterdir()) if path.suffix in KINDS}
    return {**found, NOVELLA: novella.path().read_bytes()}


@cache
def edition() -> str:
    """Changes with any of the files."""
    digest = hashlib.sha256()
    for name, content in files().items():
        digest.update(b"%d %b %d " % (len(name), name.encode(), len(content)) + content)
    return digest.hexdigest()[:12]


def folder() -> str:
    """Where pages find them."""
    return f"/static/{edition()}"


@cache
def needed(script: str) -> tuple[str, ...]:
    """All modules that a module needs, whatever stands between them; a browser may fetch them at once."""
    found: dict[str, None] = {}
    waiting = [script]
    while waiting:
        name = waiting.pop()
        for other in _IMPORT.findall(files()[name].decode()):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return tuple(sorted(found))
