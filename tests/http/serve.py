"""A real service in a process of its own, on a free port that it prints: `python -m tests.http.serve`.

Settings come from the environment, as in real life. The writers of `tests.service.writers` are there too.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.processes import ending

ROOT = Path(__file__).parents[2]


def started(settings: Mapping[str, str], *, log: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Return the process and the address of a service with these settings."""
    environment = {**os.environ, **{f"BOOKWORM_{name.upper()}": value for name, value in settings.items()}}
    with log.open("ab") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.http.serve"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=err,
        )
    assert process.stdout is not None
    # If it never says its port it is killed, and the empty line below says so.
    patience = threading.Timer(300, process.kill)
    patience.start()
    line = process.stdout.readline().decode().strip()
    patience.cancel()
    if not line:
        process.kill()
        raise AssertionError(f"the service did not start:\n{log.read_text('utf-8')[-4000:]}")
    return process, f"http://127.0.0.1:{line}"


@contextmanager
def serving(settings: Mapping[str, str], *, log: Path) -> Iterator[str]:
    """The address of a service with these settings; stopped at the end, politely first."""
    process, address = started(settings, log=log)
    assert process.stdout is not None
    with process.stdout, ending(process):
        yield address


def main() -> None:
    import uvicorn

    from tests.service import writers

    writers.register()  # before the parameters are described
    from service.app import create_app
    from service.cli.serving import LONGEST_HEAD

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started and sockets:
                print(sockets[0].getsockname()[1], flush=True)

    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=LONGEST_HEAD,
    )
    Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
