"""One run of BookNLP as a process: watched, timed, stopped, and its failure explained."""

from __future__ import annotations

import json
import logging
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from coref.booknlp.runner import MARK
from coref.errors import ResolverFailed, ResolverUnavailable
from coref.protocols import Progress

LOGGER = logging.getLogger(__name__)
STAGES = {"startup": 0.05, "spacy": 0.25, "entities": 0.5, "quotes": 0.5, "attribution": 0.65, "coref": 0.95}
"""The stages that BookNLP reports as done, and about how much of the work each completes."""
_LOOK_SECONDS = 0.2
_TAIL_BYTES = 4096


def run(
    command: Sequence[str], *, cwd: Path, log: Path, timeout: float, progress: Progress | None = None
) -> None:
    """Run BookNLP to its end. An exception raised by `progress` stops it.

    Its working directory is the folder of the weights, so that their base models are found in a folder
    `google/bert_…` there.
    """
    with (log / "stderr").open("wb") as errors:
        started = _start(command, cwd=cwd, errors=errors.fileno())
        try:
            _watch(started, timeout=timeout, progress=progress)
        except BaseException:
            started.kill()
            raise
        finally:
            started.wait()
            for pipe in (started.stdin, started.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]
    if started.returncode:
        raise _explained(started.returncode, _last_line(log / "stderr"))


def _start(command: Sequence[str], *, cwd: Path, errors: int) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(  # noqa: S603 - the interpreter that the settings name, and our own file
            command,
            cwd=cwd,
            stdin=subprocess.PIPE,  # held open: it closes when we die, and then BookNLP ends
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise ResolverUnavailable(f"BookNLP can't be started: {error.strerror}.") from error


def _watch(started: subprocess.Popen[str], *, timeout: float, progress: Progress | None) -> None:
    share = _Share()
    listen = threading.Thread(target=share.listen, args=(started,), daemon=True)
    listen.start()
    deadline = time.monotonic() + timeout
    while started.poll() is None:
        if progress is not None:
            progress(share.done)
        if time.monotonic() > deadline:
            raise ResolverFailed(
                f"BookNLP was not done after {timeout:.0f} s and was stopped.",
                remedy="Raise BOOKWORM_BOOKNLP_TIMEOUT, choose the small size, or give it a GPU.",
            )
        with suppress(subprocess.TimeoutExpired):
            started.wait(_LOOK_SECONDS)
    listen.join()
    if progress is not None and started.returncode == 0:
        progress(1.0)


class _Share:
    """The progress that BookNLP reports."""

    def __init__(self) -> None:
        self.done = 0.0

    def listen(self, started: subprocess.Popen[str]) -> None:
        assert started.stdout is not None
        for line in started.stdout:
            if line.startswith("--- "):
                self.done = max(self.done, STAGES.get(line[4:].partition(":")[0], 0.0))


def _last_line(path: Path) -> dict[str, str]:
    """Return the runner's report of its failure.

    Nothing else on stderr is passed on: it may quote the book.
    """
    with path.open("rb") as errors:
        size = errors.seek(0, 2)
        errors.seek(max(0, size - _TAIL_BYTES))
        lines = errors.read().decode("utf-8", "replace").splitlines()
    if not lines or not lines[-1].startswith(MARK):
        return {}
    try:
        told = json.loads(lines[-1][len(MARK) :])
    except ValueError:
        return {}
    return {str(key): str(value) for key, value in told.items()} if isinstance(told, dict) else {}


def _explained(status: int, told: dict[str, str]) -> ResolverFailed | ResolverUnavailable:
    LOGGER.warning("BookNLP ended with status %d: %s", status, told or "it did not say why")
    if status < 0:
        return ResolverFailed(
            f"BookNLP was killed (signal {-status}), perhaps for lack of memory.",
            remedy="Give it more memory, or choose the small size (BOOKWORM_BOOKNLP_SIZE).",
        )
    what, stage = told.get("error", "an error"), told.get("stage", "")
    if stage == "import":
        lacks = f": it lacks `{told['missing']}`" if told.get("missing") else ""
        return ResolverUnavailable(
            f"BookNLP's environment can't import it ({what}){lacks}.",
            remedy="Reinstall `booknlp` there, with compatible versions of its libraries.",
        )
    if stage == "load":
        return ResolverUnavailable(
            f"BookNLP can't load its models ({what} at {told.get('place', '?')}).",
            remedy="Its weights are built on models such as `google/bert_uncased_L-4_H-256_A-4`: put them in "
            "folders of these names beside the weights, or in the Hugging Face cache; and check that the "
            "weights fit the installed `transformers`.",
        )
    return ResolverFailed(f"BookNLP failed on this book ({what} at {told.get('place', '?')}).")
