"""A real small model summarises a novella in a service that is killed twice: nothing is read again."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from evaluation import novella
from tests.generation.models.openai.llama_cpp import serving_smollm, weights
from tests.generation.models.openai.test_llama_cpp import HOTTER
from tests.http.conftest import upload
from tests.http.serve import started

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(weights() is None, reason="SmolLM2 and llama.cpp come with `make soak-short`"),
]
KILLED_AFTER = (2, 4)
"""Texts that are there when the service is killed."""
PATIENCE = 3 * 3600
Texts = dict[str, tuple[str, int, bool]]


class Killable:
    """The service and what it has stored, which is read from its database."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.settings = {
            "data_dir": str(folder),
            "resolver": "rules",
            "embedder": "hashing",
            "generator": "openai",
            "openai_url": url,
            "openai_concurrency": "1",
            "openai_timeout": "1800",
            "openai_extra": json.dumps(HOTTER),
            "temperature": "0.8",
            "heartbeat_seconds": "1",
            "takeover_seconds": "5",
        }
        self.start()

    def start(self) -> None:
        self.process, address = started(self.settings, log=self.folder / "log")
        self.client = httpx.Client(base_url=f"{address}/v1", timeout=600)

    def kill(self) -> None:
        self.client.close()
        self.process.kill()
        self.process.wait()

    def texts(self) -> Texts:
        """When each text was written, how many tokens it took, and whether it is fit."""
        with closing(sqlite3.connect(self.folder / "bookworm.sqlite3", timeout=60)) as database:
            rows = database.execute(
                "SELECT key_hash, created, prompt_tokens + completion_tokens, fit FROM completions"
            )
            return {key: (created, tokens, bool(fit)) for key, created, tokens, fit in rows}

    def until(self, ready: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not ready():
            assert time.monotonic() < deadline, (self.folder / "log").read_text("utf-8")[-4000:]
            time.sleep(0.5)


def written_again(before: Texts, after: Texts) -> list[str]:
    """Return the keys of texts that were written again. A fit one takes the place of one that is not."""
    return [
        key
        for key, text in before.items()
        if after.get(key) != text and (text[2] or not after.get(key, text)[2])
    ]


@pytest.mark.timeout(3 * PATIENCE)
@pytest.mark.parametrize(
    ("strategy", "upto"),
    [
        ("incremental", "1"),
        pytest.param("hierarchical", None, marks=pytest.mark.long),
        pytest.param("incremental", None, marks=pytest.mark.long),
    ],
)
def test_killed_twice_it_reads_no_part_again(tmp_path: Path, strategy: str, upto: str | None) -> None:
    with serving_smollm(tmp_path / "llama.cpp") as url:
        service = Killable(tmp_path, url)
        try:
            book = upload(service.client, novella.text().encode())["id"]
            params = {"strategy": strategy, "words": "60", "chunk": "500", **({"upto": upto} if upto else {})}
            ordered = service.client.post(f"/books/{book}/summary", params=params)
            assert ordered.status_code == 202, ordered.text
            job, before = ordered.json()["id"], Texts()
            for count in KILLED_AFTER:
                service.until(lambda count=count: len(service.texts()) >= count)  # type: ignore[misc]
                service.kill()
                assert not written_again(before, service.texts())
                before = service.texts()
                service.start()
            last: dict[str, Any] = {}

            def ended() -> bool:
                last.update(service.client.get(f"/jobs/{job}").json())
                return bool(last["ended"])

            service.until(ended)
            after = service.texts()
            if last["error"] != "Nothing of what the model wrote was found in the book.":
                assert not written_again(before, after)
                assert last["tokens"] >= sum(tokens for _, tokens, _ in after.values())
            assert last["attempts"] == 1 + len(KILLED_AFTER)
            assert (last["state"], last["error_code"]) in {("succeeded", None), ("failed", "draft_rejected")}
        finally:
            service.kill()
