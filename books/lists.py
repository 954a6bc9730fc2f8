"""Word lists: text files that anyone may edit, one entry per line; `#` starts a comment."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def lines(room: str, path: str) -> tuple[str, ...]:
    """Return the entries of a list in a package, such as `lines("coref", "data/titles.txt")`."""
    text = files(room).joinpath(path).read_text(encoding="utf-8")
    bare = (line.split("#", 1)[0].strip() for line in text.splitlines())
    return tuple(line for line in bare if line)
