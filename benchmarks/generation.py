"""`make bench-generation`: offline answers, searches and stored answers, through the real service.

    python -m benchmarks.generation [NOVEL|FOLDER ...] [--words 120000] [--people 12] [--rounds 5]
                                    [--asked 500] [--resolver native]

Novels are text files, gzipped or not, or folders of them; without any, the project's own novella. They are
read as one text, which is cut or repeated to the requested length. The service runs as in production
(`bookworm serve`, SQLite, one process, loopback) and gets one request at a time over a connection that stays
open. The main characters' answers are written repeatedly (`refresh`): passages are found, the text is
composed, its facts are extracted and judged, with the times from the answer itself. Questions about them and
searches are all new. Then stored answers are read, from the service's memory and from its database, and one
that the caller already has (304).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import httpx
from rich.console import Console
from rich.table import Table

from benchmarks import texts, timing
from benchmarks.coref import source_of
from benchmarks.load import Service, serving
from benchmarks.tables import Goal, ms, reached, table, under
from benchmarks.timing import Spread

WORDS: Final = 120_000
TASKS: Final = ("description", "analysis")
QUESTIONS: Final = (
    "Who is {}?",
    "Where does {} live?",
    "Why does {} go away?",
    "What does {} say of {}?",
    "When does {} meet {} for the first time?",
    "How does {} hear of what has happened?",
    "What is {} afraid of?",
)
SEARCHES: Final = ("{}", "{} letter", "the house of {}", '"{}"', "money {} {}", "a walk in the rain with {}")
UPLOAD_SECONDS: Final = 1800
WRITTEN: Final = 0.100
ANSWERED: Final = 0.150
FOUND: Final = 0.050
KEPT: Final = 0.005
"""Goals, in seconds."""


@dataclass(frozen=True, slots=True)
class Writing:
    """Seconds for one answer by the offline writer, all engines warm."""

    answers: int
    words: float
    """Words of its text, on average."""
    first: float
    """The very first answer, which opens the book and triggers lazy imports."""
    inside: Spread
    """The time that the answer itself reports."""
    request: Spread
    """From the question to the end of its answer, which is also stored."""
    cpu: float
    """Processor time of the service per request, which other work on the machine does not increase."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Seconds for one request, such as for a stored answer."""

    request: Spread
    cpu: float


@dataclass(frozen=True, slots=True)
class New:
    """Seconds for requests of which none was made before."""

    first: float
    """The very first, which loads what it needs."""
    others: Reading


@dataclass(frozen=True, slots=True)
class Measured:
    source: str
    words: int
    people: int
    ingest: float
    written: dict[str, Writing]
    new: dict[str, New]
    """Times of questions and of searches."""
    kept: dict[str, Reading]
    """Times of a description: from memory, from the database, and 304; and of a probe."""


def goals(measured: Measured) -> list[Goal]:
    def within(name: str, seconds: float, most: float) -> Goal:
        return under(name, round(1000 * seconds, 2), 1000 * most)

    length = f"{measured.words:,} words"
    written = measured.written["description"]
    return [
        within(f"offline description of {length}, written, median ms", written.inside.median, WRITTEN),
        within(f"offline description of {length}, whole request, median ms", written.request.median, WRITTEN),
        within(f"new question about {length}, p95 ms", measured.new["question"].others.request.p95, ANSWERED),
        within(f"new search in {length}, p95 ms", measured.new["search"].others.request.p95, FOUND),
        within("kept answer from memory, median ms", measured.kept["memory"].request.median, KEPT),
        within("kept answer from the database, median ms", measured.kept["database"].request.median, KEPT),
    ]


def tables(measured: Measured) -> list[Table]:
    writing = table(
        "Written", "Words", "First ms", "Inside ms", "p95 ms", "Request ms", "p95 ms", "Processor ms"
    )
    for task, w in measured.written.items():
        spreads = (w.inside.median, w.inside.p95, w.request.median, w.request.p95, w.cpu)
        writing.add_row(task, f"{w.words:.0f}", ms(w.first), *map(ms, spreads))
    new = table("New", "First ms", "p50 ms", "p95 ms", "Processor ms")
    for kind, n in measured.new.items():
        times = (n.first, n.others.request.median, n.others.request.p95, n.others.cpu)
        new.add_row(kind, *map(ms, times))
    kept = table("Kept", "p50 ms", "p95 ms", "Processor ms")
    for where, read in measured.kept.items():
        kept.add_row(where, *map(ms, (read.request.median, read.request.p95, read.cpu)))
    return [writing, new, kept, reached(goals(measured))]


def about(forms: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return each form about each person, and where it has room for another, the next one."""
    others = [*names[1:], names[0]]
    return [form.format(*pair) for pair in zip(names, others, strict=True) for form in forms]


def _timed(ask: Callable[[], httpx.Response], *, expect: int = 200) -> tuple[float, httpx.Response]:
    started = time.perf_counter()
    answer = ask()
    seconds = time.perf_counter() - started
    if answer.status_code != expect:
        raise RuntimeError(f"{answer.status_code}: {answer.text[:500]}")
    return seconds, answer


def _written(asker: Asker, paths: Sequence[str], *, rounds: int) -> Writing:
    first, _ = asker.get(paths[0])
    for path in paths:
        asker.get(path)
    inside, requests, words = [], [], []
    before = asker.service.cpu_seconds()
    for path in list(paths) * rounds:
        seconds, answer = asker.get(path, params={"refresh": "true"})
        body: dict[str, Any] = answer.json()
        requests.append(seconds)
        inside.append(body["usage"]["seconds"])
        words.append(len(body["text"].split()))
    cpu = (asker.service.cpu_seconds() - before) / len(words)
    mean = sum(words) / len(words)
    return Writing(len(words), mean, first, timing.spread(inside), timing.spread(requests), round(cpu, 6))


def _new(asker: Asker, book: str, names: Sequence[str]) -> dict[str, New]:
    def ask(question: str) -> float:
        return asker.post(f"{book}/questions", json={"question": question})[0]

    def search(words: str) -> float:
        return asker.get(f"{book}/search", params={"q": words})[0]

    return {
        "question": asker.new(ask, about(QUESTIONS, names)),
        "search": asker.new(search, about(SEARCHES, names)),
    }


def _kept(asker: Asker, paths: Sequence[str], *, asked: int) -> dict[str, Reading]:
    """Measure stored answers.

    The service's memory is keyed by address, so an address that it never saw is looked up in the database. A
    “&” more in it means nothing. A probe, which does no work, measures the round trip on this machine.
    """
    fresh = (f"{path}?{'&' * at}" for at, path in enumerate(cycle(paths), start=1))
    etags = {path: asker.get(path)[1].headers["etag"] for path in paths}
    return {
        "probe": asker.read(cycle([f"{asker.service.base}/livez"]), asked),
        "memory": asker.read(cycle(paths), asked),
        "database": asker.read(fresh, asked),
        "unchanged": asker.read(
            cycle(paths), asked, lambda path: {"headers": {"If-None-Match": etags[path]}, "expect": 304}
        ),
    }


@dataclass(frozen=True, slots=True)
class Asker:
    client: httpx.Client
    service: Service

    def get(self, path: str, *, expect: int = 200, **how: Any) -> tuple[float, httpx.Response]:
        return _timed(lambda: self.client.get(path, **how), expect=expect)

    def post(self, path: str, **how: Any) -> tuple[float, httpx.Response]:
        return _timed(lambda: self.client.post(path, **how))

    def read(
        self, paths: Iterable[str], asked: int, how: Callable[[str], dict[str, Any]] = lambda _: {}
    ) -> Reading:
        return self.each(lambda path: self.get(path, **how(path))[0], list(islice(paths, asked)))

    def new(self, ask: Callable[[str], float], texts: Sequence[str]) -> New:
        return New(ask(texts[0]), self.each(ask, texts[1:]))

    def each(self, ask: Callable[[str], float], texts: Sequence[str]) -> Reading:
        before = self.service.cpu_seconds()
        request = timing.spread([ask(text) for text in texts])
        return Reading(request, round((self.service.cpu_seconds() - before) / len(texts), 6))


def measure(text: str, source: str, options: argparse.Namespace) -> Measured:
    os.environ["BOOKWORM_RESOLVER"] = options.resolver
    with (
        tempfile.TemporaryDirectory(prefix="bookworm-generation-") as folder,
        serving(Path(folder)) as service,
        httpx.Client(base_url=f"{service.base}/v1", timeout=UPLOAD_SECONDS) as client,
    ):
        upload = {"file": ("novel.txt", text.encode())}
        ingest, taken = _timed(lambda: client.post("/books", files=upload, params={"wait": 600}), expect=201)
        book = _ready(client, taken.json()["book"])
        at = f"/books/{book['id']}"
        people = client.get(f"{at}/characters").json()["items"][: options.people]
        paths = {task: [f"{at}/characters/{who['id']}/{task}" for who in people] for task in TASKS}
        asker = Asker(client, service)
        written = {task: _written(asker, paths[task], rounds=options.rounds) for task in TASKS}
        new = _new(asker, at, [who["name"] for who in people])
        kept = _kept(asker, paths["description"], asked=options.asked)
    return Measured(source, book["words"], len(people), round(ingest, 1), written, new, kept)


def _ready(client: httpx.Client, book: dict[str, Any]) -> dict[str, Any]:
    until = time.monotonic() + UPLOAD_SECONDS
    while book["state"] != "ready":
        if time.monotonic() > until:
            raise RuntimeError(f"the book is still {book['state']}")
        time.sleep(1)
        book = client.get(f"/books/{book['id']}").json()
    return book


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("novels", nargs="*", type=Path)
    parser.add_argument("--words", type=int, default=WORDS, help="how long the novel is")
    parser.add_argument("--people", type=int, default=12, help="main characters that are asked about")
    parser.add_argument("--rounds", type=int, default=5, help="how often each answer is written")
    parser.add_argument("--asked", type=int, default=500, help="how often a kept answer is read")
    parser.add_argument("--resolver", default="native", help="who resolves the characters")
    options = parser.parse_args(arguments)
    source = source_of(options.novels)
    measured = measure(texts.repeated(source.text, options.words), source.told, options)
    reached = goals(measured)
    result = asdict(measured) | {"goals": [asdict(goal) for goal in reached]}
    print(json.dumps(result, indent=1))
    console = Console(highlight=False, width=120)
    for shown in tables(measured):
        console.print()
        console.print(shown)
    print(timing.save("generation", result), file=sys.stderr)
    return 0 if all(goal.met for goal in reached) else 1


if __name__ == "__main__":
    raise SystemExit(main())
