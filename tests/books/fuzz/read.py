"""Coverage-guided fuzzing of the readers: some seconds in the tests, and by hand without a limit.

    mkdir -p corpus && .venv/bin/python -m tests.books.fuzz.read corpus -max_total_time=180 -rss_limit_mb=2048

An empty corpus starts with a valid file of each format. A file that breaks a reader is written to the working
folder as `crash-…`; `python -m tests.books.fuzz.read crash-…` reads it again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import atheris

with atheris.instrument_imports(include=["books"]):
    from books.errors import BookwormError
    from books.formats.registry import READERS, reader
    from books.reading import read

    for each in READERS:
        reader(each)

from tests.books.fuzz.seeds import PACKED, PLAIN, with_part
from tests.books.laws import assert_lawful

_PARTS: Final = [(parts(), name) for parts in PACKED.values() for name in parts()]


def one(data: bytes) -> None:
    """Read one input: its first byte selects a file, or a part of an otherwise valid archive."""
    if not data:
        return
    kind, rest = data[0], data[1:]
    if kind >= 128:
        parts, name = _PARTS[kind % len(_PARTS)]
        rest = with_part(parts, name, rest)
    try:
        book = read(rest, force=True)
    except BookwormError:
        return
    assert_lawful(book)


def seeds() -> list[bytes]:
    plain = [b"\x00" + data for data in PLAIN.values()]
    first = 128 + -128 % len(_PARTS)
    return plain + [bytes([first + n]) + parts[name] for n, (parts, name) in enumerate(_PARTS)]


def main() -> None:
    for folder in filter(Path.is_dir, map(Path, sys.argv[1:])):
        if not any(folder.iterdir()):
            for number, seed in enumerate(seeds()):
                (folder / f"seed-{number}").write_bytes(seed)
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
