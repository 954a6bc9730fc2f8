"""Static files of the pages: modules, stylesheet, icon, and the bundled novella.

Each file is served at two addresses. The address with the edition may be cached forever, because any change
to a file changes the edition. Modules import each other by relative paths, so a page never mixes modules of
two editions. The plain address is revalidated on each request.
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
    """Contents by file name. The novella is the copy that `bookworm demo` reads."""
    found = {path.name: path.read_bytes() for path in sorted(_FOLDER.iterdir()) if path.suffix in KINDS}
    return {**found, NOVELLA: novella.path().read_bytes()}


@cache
def edition() -> str:
    """A hash that changes whenever any file changes."""
    digest = hashlib.sha256()
    for name, content in files().items():
        digest.update(b"%d %b %d " % (len(name), name.encode(), len(content)) + content)
    return digest.hexdigest()[:12]


def folder() -> str:
    """The address of the folder that pages load files from."""
    return f"/static/{edition()}"


@cache
def needed(script: str) -> tuple[str, ...]:
    """All modules that a module imports, directly or not, so that the browser can fetch them at once."""
    found: dict[str, None] = {}
    waiting = [script]
    while waiting:
        name = waiting.pop()
        for other in _IMPORT.findall(files()[name].decode()):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return tuple(sorted(found))
