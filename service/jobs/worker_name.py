"""A name for this worker process, which is unique and the same after a restart.

The workflow engine uses the name to return unfinished work to a restarted worker, and would let two processes
with the same name do the same work. A name is therefore a numbered slot of this installation, held by a lock
on a file, which the operating system releases when the process dies.
"""

from __future__ import annotations

import fcntl
import re
import secrets
import socket
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import IO

from books.errors import BookwormError


class WorkerNameTaken(BookwormError):
    code = "worker_name_taken"
    remedy = "Give every worker process its own `BOOKWORM_WORKER_ID`, or leave it unset."


class Slot:
    def __init__(self, name: str, held: IO[str]) -> None:
        self.name = name
        self._held = held

    def release(self) -> None:
        self._held.close()


def claim(folder: Path, *, name: str | None = None) -> Slot:
    """Locks `name`, or the first free slot of this installation. `folder` is local to it."""
    folder.mkdir(parents=True, exist_ok=True)
    if name is not None:
        held = _lock(folder / f"{_plain(name)}.lock")
        if held is None:
            raise WorkerNameTaken(f"Another process already uses the worker name {name}.")
        return Slot(name, held)
    home = f"{_plain(socket.gethostname())}-{_installation(folder)}"
    for number in count():
        held = _lock(folder / f"{home}-{number}.lock")
        if held is not None:
            return Slot(f"{home}-{number}", held)
    raise AssertionError("count() has no end")


def _lock(path: Path) -> IO[str] | None:
    held = path.open("w")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        return None
    return held


def _installation(folder: Path) -> str:
    """An identifier that distinguishes installations with the same host name and database."""
    path = folder / "installation"
    if not path.exists():
        token = folder / f".installation-{secrets.token_hex(4)}"
        token.write_text(secrets.token_hex(3))
        with suppress(FileExistsError):  # another process was faster, and its token is used
            path.hardlink_to(token)
        token.unlink()
    return path.read_text()


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)
