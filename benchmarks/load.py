"""Many readers of cached descriptions at once: latency, throughput and errors, to `results/load.json`.

    python -m benchmarks.load [--readers 64] [--seconds 15] [--people 12]

Starts the service as in production (`bookworm serve`, SQLite, one process, loopback) in a temporary folder,
uploads the novella, requests the description of each of the main characters once, then lets the readers
request them repeatedly, each over one connection kept open. Three kinds of reading are measured one after the
other: the whole answer, the whole answer by the name alone (the owner's path), and the unchanged answer
(304). The readers share the machine with the service and never pause, so each waits for all the others: its
time is 64 times the work of one answer. So the service's processor time per answer is reported too; that does
not depend on other processes. Exits with 1 on any error.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from benchmarks import timing
from evaluation import novella

ROOT = Path(__file__).parents[1]
SERVE = "from service.cli.main import main; main()"
START_SECONDS = 90.0


@dataclass(frozen=True, slots=True)
class Options:
    readers: int = 64
    seconds: float = 15.0
    people: int = 12


@dataclass(slots=True)
class Tally:
    """The totals of one kind of reading."""

    milliseconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    bytes: int = 0
    cpu_seconds: float = 0.0
    """Processor time of the service, over all its threads."""

    def report(self, *, seconds: float) -> dict[str, Any]:
        ordered = sorted(self.milliseconds) or [0.0]
        return {
            "requests": len(self.milliseconds),
            "errors": len(self.errors),
            "first_errors": sorted(set(self.errors))[:5],
            "per_second": round(len(self.milliseconds) / seconds, 1),
            "p50_ms": round(median(ordered), 2),
            "p90_ms": round(ordered[int(len(ordered) * 0.90)], 2),
            "p99_ms": round(ordered[int(len(ordered) * 0.99)], 2),
            "max_ms": round(ordered[-1], 2),
            "service_cpu_ms": round(1000 * self.cpu_seconds / max(1, len(self.milliseconds)), 2),
            "mean_bytes": self.bytes // max(1, len(self.milliseconds)),
        }


@dataclass(frozen=True, slots=True)
class Service:
    base: str
    pid: int

    def cpu_seconds(self) -> float:
        """Return the processor time used so far; 0 where /proc does not report it."""
        stat = Path(f"/proc/{self.pid}/stat")
        if not stat.exists():
            return 0.0
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Question:
    path: str
    expect: int = 200
    etag: str | None = None

    def raw(self, host: str) -> bytes:
        condition = f"If-None-Match: {self.etag}\r\n" if self.etag else ""
        return (
            f"GET {self.path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n{condition}\r\n".encode()
        )


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    with tempfile.TemporaryDirectory(prefix="bookworm-load-") as folder, serving(Path(folder)) as service:
        report = _measure(service, options)
    print(json.dumps(report, indent=2))
    timing.save("load", report)
    return 1 if any(kind["errors"] for kind in report["readings"].values()) else 0


@contextmanager
def serving(folder: Path) -> Iterator[Service]:
    log = folder / "serve.log"
    environment = {**os.environ, "BOOKWORM_DATA_DIR": str(folder / "data"), "BOOKWORM_PORT": "0"}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, "serve"], cwd=ROOT, env=environment, stderr=out
        )
    try:
        yield Service(_address(process, log), process.pid)
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        for word in log.read_text("utf-8").replace("\n", "").split():
            if word.startswith("http://127.0.0.1:") and _answers(word):
                return word
        time.sleep(0.1)
    raise RuntimeError(f"the service did not start: {log.read_text('utf-8')[-2000:]}")


def _answers(base: str) -> bool:
    try:
        return httpx.get(f"{base}/readyz").status_code == 200
    except httpx.TransportError:
        return False


def _measure(service: Service, options: Options) -> dict[str, Any]:
    with httpx.Client(base_url=service.base, timeout=600) as client:
        started = time.perf_counter()
        taken = client.post("/books", files={"file": novella.text().encode()}, params={"wait": 600})
        taken.raise_for_status()
        ingest = time.perf_counter() - started
        book, people = taken.json()["book"], _people(client, taken.json()["book"]["id"], options.people)
        started = time.perf_counter()
        questions = _questions(client, book["id"], people)
        writing = time.perf_counter() - started
        one_reader = _one_reader(client, questions["by_book"])
    readings = {
        kind: asyncio.run(_read(service, asked, options)).report(seconds=options.seconds)
        for kind, asked in questions.items()
    }
    return {
        "words": book["words"],
        "ingest_seconds": round(ingest, 2),
        "descriptions": len(people),
        "write_seconds_each": round(writing / max(1, len(people)), 3),
        "readers": options.readers,
        "one_reader_p50_ms": one_reader,
        "readings": readings,
    }


def _people(client: httpx.Client, book_id: str, most: int) -> list[dict[str, Any]]:
    """Return people who can be found by name: the others would be requested by id."""
    cast = client.get(f"/books/{book_id}/characters").json()["items"][:most]
    found = [c for c in cast if client.get(f"/characters/{quote(c['name'])}/description").status_code == 200]
    return found or cast


def _questions(client: httpx.Client, book_id: str, people: list[dict[str, Any]]) -> dict[str, list[Question]]:
    by_book = [f"/v1/books/{book_id}/characters/{quote(c['id'])}/description" for c in people]
    etags = []
    for path in by_book:
        answer = client.get(path)
        answer.raise_for_status()
        etags.append(answer.headers["etag"])
    return {
        "by_book": [Question(path) for path in by_book],
        "by_name": [Question(f"/characters/{quote(c['name'])}/description") for c in people],
        "unchanged": [Question(path, 304, etag) for path, etag in zip(by_book, etags, strict=True)],
    }


def _one_reader(client: httpx.Client, questions: list[Question], *, times: int = 200) -> float:
    took = []
    for at in range(times):
        started = time.perf_counter()
        client.get(questions[at % len(questions)].path).raise_for_status()
        took.append((time.perf_counter() - started) * 1000)
    return round(median(took), 2)


async def _read(service: Service, questions: list[Question], options: Options) -> Tally:
    tally, until, before = Tally(), time.perf_counter() + options.seconds, service.cpu_seconds()
    readers = (_reader(service.base, questions, tally, first=n, until=until) for n in range(options.readers))
    await asyncio.gather(*readers)
    tally.cpu_seconds = service.cpu_seconds() - before
    return tally


async def _reader(base: str, questions: list[Question], tally: Tally, *, first: int, until: float) -> None:
    """Send plain HTTP/1.1: a client library would take more of the processor than the service does."""
    address = urlsplit(base)
    raw = [(q, q.raw(address.netloc)) for q in questions]
    try:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        at = first
        while time.perf_counter() < until:
            question, message = raw[at % len(raw)]
            started, at = time.perf_counter(), at + 1
            writer.write(message)
            status, length = await asyncio.wait_for(_answer(reader), 30)
            tally.milliseconds.append((time.perf_counter() - started) * 1000)
            tally.bytes += length
            if status != question.expect:
                tally.errors.append(f"status {status}")
        writer.close()
    except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
        tally.errors.append(type(error).__name__)


async def _answer(reader: asyncio.StreamReader) -> tuple[int, int]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    lengths = [line[15:] for line in head.split("\r\n") if line.startswith("content-length:")]
    length = int(lengths[0]) if lengths else 0
    await reader.readexactly(length)
    return int(head[9:12]), length


def _options(arguments: Sequence[str] | None) -> Options:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, value in asdict(Options()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    return Options(**vars(parser.parse_args(arguments)))


if __name__ == "__main__":
    raise SystemExit(main())
