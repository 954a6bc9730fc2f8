"""A folder with a novel in it, and the service running beside it, as the README's reader has them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.conftest import STORY
from tests.processes import ending

BOOKWORM = "import sys; from service.cli.main import main; sys.argv[0] = 'bookworm'; main()"
START_SECONDS = 60


@dataclass(frozen=True)
class Desk:
    folder: Path
    url: str
    environment: dict[str, str]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "novel.txt").write_text(STORY, "utf-8")
    script = folder / "bin" / "bookworm"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{BOOKWORM}" "$@"\n')
    script.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    environment = {
        **os.environ,
        "PATH": os.pathsep.join((str(script.parent), os.environ["PATH"])),
        "BOOKWORM_DATA_DIR": str(folder / "data"),
        "BOOKWORM_PORT": str(port),
        "BOOKWORM_EMBEDDER": "hashing",
    }
    with (folder / "serve.log").open("w") as log:
        process = subprocess.Popen(
            [str(script), "serve"], cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    with ending(process):
        desk = Desk(folder, f"http://127.0.0.1:{port}", environment)
        _await(desk, process)
        yield desk


def _await(desk: Desk, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, (desk.folder / "serve.log").read_text()
        try:
            with urllib.request.urlopen(f"{desk.url}/livez", timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError((desk.folder / "serve.log").read_text())
