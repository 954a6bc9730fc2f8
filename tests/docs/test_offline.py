"""Nothing is fetched at run time: the main job with the network shut, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import offline_network

from tests.cli.conftest import STORY
from tests.docs.conftest import BOOKWORM


def test_ingest_and_describe_open_no_connection(tmp_path: Path) -> None:
    log = tmp_path / "network.log"
    novel = tmp_path / "novel.txt"
    novel.write_text(STORY, "utf-8")
    environment = {
        **os.environ,
        offline_network.LOG: str(log),
        "BOOKWORM_DATA_DIR": str(tmp_path / "data"),
        "PYTHONPATH": str(Path(offline_network.__file__).parent),
    }
    # Whoever forgets the offline switches must not be saved by the tests' own.
    for switch in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        environment.pop(switch, None)
    done = subprocess.run(
        [sys.executable, "-c", BOOKWORM, "describe", str(novel), "Captain Briggs", "--json"],
        cwd=Path(__file__).parents[2],
        env=environment,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    assert "sentences" in done.stdout
    assert not log.exists(), log.read_text()
