"""One comparison from references to report, with all its inputs recorded."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from json import dumps
from pathlib import Path

from books.digests import file_sha256
from coref.protocols import Resolver
from evaluation.metrics.protocols import Metric
from evaluation.portraits.cases import Cases
from evaluation.portraits.page import html
from evaluation.portraits.report import PortraitReport, as_csv, markdown
from evaluation.portraits.result_log import ResultLog
from evaluation.portraits.running import Lengths, SystemFailure, SystemResult, SystemsRun, Tell
from evaluation.portraits.table import tables
from evaluation.portraits.types import System, SystemEngines
from evaluation.portraits.units import Unit
from evaluation.portraits.workroom import Workroom

ANSWERS, SCORES = "answers.jsonl", "scores.jsonl"


@dataclass(frozen=True, slots=True)
class Experiment:
    found: Cases
    references: Sequence[Path]
    systems: Sequence[System]
    metrics: Sequence[Metric]
    engines: SystemEngines
    resolver: Resolver
    lengths: Lengths
    seed: int
    against: str | None
    drawn: Unit

    def run(self, out: Path, work: Path, *, news: Callable[[str], None], tell: Tell) -> PortraitReport:
        """Run what `out` does not hold yet."""
        room = Workroom(work, self.resolver, self.engines.embedder, news)
        with ResultLog(out / ANSWERS) as answers, ResultLog(out / SCORES) as scores:
            run = SystemsRun(
                self.systems,
                self.metrics,
                self.engines,
                self.lengths,
                self.seed,
                answers,
                scores,
                tell,
            )
            results, failures = run.over(self.found.cases, room.open)
        return PortraitReport(
            tables=tables(
                results,
                failures,
                systems=[system.name for system in self.systems],
                against=self.against,
                unit=self.drawn,
                seed=self.seed,
            ),
            results=results,
            failures=failures,
            missing=self.found.missing,
            made_of=self._made_of(results, failures),
            facts=self._facts(),
        )

    def _made_of(
        self, results: Sequence[SystemResult], failures: Sequence[SystemFailure]
    ) -> dict[str, object]:
        # What differs between the questions to one system is left out.
        varying = {"reference": None, "people": None}
        of_system = {r.system: dict(r.made_of) | varying for r in reversed(results)}
        return {
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "bookworm": version("bookworm"),
            "python": platform.python_version(),
            "seed": self.seed,
            "resolver": self.resolver.name,
            "embedder": self.engines.embedder.name,
            "judge": self.engines.judge.name,
            "extractor": self.engines.extractor.name,
            "systems": {system.name: of_system.get(system.name) for system in self.systems},
            "metrics": [metric.name for metric in self.metrics],
            "words": {task.value: words for task, words in self.lengths.words.items()},
            "sentences": {task.value: count for task, count in self.lengths.sentences.items()},
            "against": self.against,
            "drawn": self.drawn.value,
            "references": {path.name: file_sha256(path) for path in self.references},
            "books": {r.case.path.name: r.book for r in results},
            "answers": len(results),
            "failures": len(failures),
            "missing": list(self.found.missing),
        }

    def _facts(self) -> list[tuple[str, str]]:
        words, sentences = self.lengths.words.items(), self.lengths.sentences.items()
        return [
            ("Bookworm", version("bookworm")),
            ("Resolver", self.resolver.name),
            ("Embedder", self.engines.embedder.name),
            ("Facts found by", self.engines.extractor.name),
            ("Facts judged by", self.engines.judge.name),
            ("Metrics", ", ".join(metric.name for metric in self.metrics)),
            ("Seed", str(self.seed)),
            ("Words asked for", ", ".join(f"{task.value} {count}" for task, count in words)),
            ("Sentences of an extract", ", ".join(f"{task.value} {count}" for task, count in sentences)),
            ("Drawn anew for intervals", self.drawn.value),
            ("References", ", ".join(path.name for path in self.references)),
        ]


def write(report: PortraitReport, out: Path) -> None:
    """Write each file atomically."""
    texts = {
        "report.md": markdown(report),
        "report.html": html(report),
        "report.csv": as_csv(report),
        "run.json": dumps(report.made_of, ensure_ascii=False, indent=1) + "\n",
    }
    for name, text in texts.items():
        aside = out / f"{name}.part"
        aside.write_text(text, "utf-8")
        aside.replace(out / name)
