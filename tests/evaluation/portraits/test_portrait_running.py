"""Finished work is not repeated, even after a kill; changed work is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from evaluation.metrics.types import MetricSample, Scores
from evaluation.portraits.errors import RunInUse
from evaluation.portraits.result_log import ResultLog, key_of
from evaluation.portraits.running import Lengths, ReferencedBook, SystemFailure, SystemResult, SystemsRun
from evaluation.portraits.systems import make_systems
from evaluation.portraits.types import OpenedBook, System, SystemAnswer, SystemQuestion
from generation.errors import DraftRejected
from generation.models.scripted_model import ScriptedModel
from generation.types import Task, Usage
from generation.writing.writer import PortraitWriter
from tests.evaluation.portraits.shop import ANNE, JOINT, PETER, case, engines, opened

ROOT = Path(__file__).parents[3]


@dataclass
class Parrot:
    """Answers with the number of its answer; stops the run, or fails, on request."""

    name: str = "parrot"
    version: int = 1
    heeds_reference: bool = False
    killed_at: int | None = None
    fails: str | None = None
    asked: list[str] = field(default_factory=list)

    def made_of(self, question: SystemQuestion) -> Mapping[str, object]:
        reference = question.reference if self.heeds_reference else None
        return {"version": self.version, "words": question.words, "reference": reference}

    def describe(self, question: SystemQuestion) -> SystemAnswer:
        if len(self.asked) == self.killed_at:
            raise KeyboardInterrupt
        if question.character.name == self.fails:
            raise DraftRejected("It was nonsense, twice.")
        self.asked.append(question.character.name)
        return SystemAnswer(f"{question.character.name} {len(self.asked)}", Usage(10, 5, 1, 2.0))


@dataclass
class Length:
    name: str = "length/1"
    columns: tuple[str, ...] = ("length",)
    measured: list[str] = field(default_factory=list)

    def score(self, samples: Sequence[MetricSample]) -> list[Scores]:
        self.measured += [sample.answer for sample in samples]
        return [{"length": float(len(sample.answer + sample.reference))} for sample in samples]


CASES = [case("One."), case("Two.", who="Peter", line=2), case("Three.", line=3, task=Task.ANALYSIS)]


@pytest.fixture
def there(tmp_path: Path) -> OpenedBook:
    return opened(tmp_path / "index")


@dataclass
class Shop:
    folder: Path
    opened: OpenedBook
    metric: Length = field(default_factory=Length)

    def run(
        self, *systems: System, words: int = 40, cases: Sequence[ReferencedBook] = CASES, seed: int = 0
    ) -> tuple[list[SystemResult], list[SystemFailure]]:
        @contextmanager
        def open_book(path: Path) -> Iterator[OpenedBook]:
            yield self.opened

        lengths = Lengths(dict.fromkeys(Task, words), dict.fromkeys(Task, 2))
        with (
            ResultLog(self.folder / "answers.jsonl") as answers,
            ResultLog(self.folder / "scores.jsonl") as scores,
        ):
            run = SystemsRun(systems, [self.metric], engines(), lengths, seed, answers, scores)
            return run.over(cases, open_book)


@pytest.fixture
def shop(tmp_path: Path, there: OpenedBook) -> Shop:
    return Shop(tmp_path / "out", there)


def test_a_run(shop: Shop) -> None:
    results, failures = shop.run(Parrot())
    assert [(r.text, r.scores["length"]) for r in results] == [
        ("Anne 1", 10),
        ("Peter 2", 11),
        ("Anne 3", 12),
    ]
    assert results[0].usage == Usage(10, 5, 1, 2.0)
    assert [r.character for r in results] == ["anne", "peter", "anne"]
    assert not failures


def test_what_was_done_is_not_done_again(shop: Shop) -> None:
    first, _ = shop.run(Parrot())
    parrot = Parrot()
    second, _ = shop.run(parrot)
    assert second == first
    assert parrot.asked == []
    assert len(shop.metric.measured) == 3


def test_after_an_interruption_it_goes_on(shop: Shop) -> None:
    with pytest.raises(KeyboardInterrupt):
        shop.run(Parrot(killed_at=2))
    parrot = Parrot()
    results, _ = shop.run(parrot)
    assert parrot.asked == ["Anne"]
    assert [r.text for r in results] == ["Anne 1", "Peter 2", "Anne 1"]


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        ({"version": 2}, 3),
        ({"name": "other"}, 3),
        ({}, 0),
    ],
)
def test_what_changed_is_done_again(shop: Shop, changed: dict[str, object], asked: int) -> None:
    shop.run(Parrot())
    parrot = Parrot(**changed)  # type: ignore[arg-type]
    shop.run(parrot)
    assert len(parrot.asked) == asked


def test_seed_and_words_change_the_answer(shop: Shop) -> None:
    shop.run(Parrot())
    for more in ({"seed": 1}, {"words": 50}):
        parrot = Parrot()
        shop.run(parrot, **more)  # type: ignore[arg-type]
        assert len(parrot.asked) == 3


def test_another_reference_is_measured_anew_and_only_heeded_by_who_heeds_it(shop: Shop) -> None:
    shop.run(Parrot(), Parrot("oracle", heeds_reference=True))
    cases = [case("Another."), *CASES[1:]]
    parrot, oracle = Parrot(), Parrot("oracle", heeds_reference=True)
    results, _ = shop.run(parrot, oracle, cases=cases)
    assert parrot.asked == []
    assert oracle.asked == ["Anne"]
    assert results[0].scores["length"] == len("Anne 1" + "Another.")


def test_two_references_of_one_person_share_an_answer(shop: Shop) -> None:
    parrot = Parrot()
    results, _ = shop.run(parrot, cases=[case("One."), case("Two.", line=2)])
    assert parrot.asked == ["Anne"]
    assert [r.text for r in results] == ["Anne 1", "Anne 1"]


def test_all_descriptions_of_a_book_are_one_request_to_the_joint_system(shop: Shop) -> None:
    """Two references of one person and an analysis add nobody; another person changes everybody's answer."""

    def run(cases: Sequence[ReferencedBook]) -> tuple[list[str], list[str], int]:
        model = ScriptedModel(
            [JOINT] if len({c.entry.character for c in cases}) > 1 else [f"## Anne\n{ANNE}"]
        )
        results, failures = shop.run(*make_systems(["joint"], engines(PortraitWriter(model))), cases=cases)
        return [r.text for r in results], [f.why for f in failures], len(model.asked)

    refused = "task_unsupported: The system `joint` writes descriptions and no analysis."
    both = [*CASES, case("Four.", line=4)]
    assert run(CASES[:1]) == ([ANNE], [], 1)
    assert run(both) == ([ANNE, PETER, ANNE], [refused], 1)
    assert run(both) == ([ANNE, PETER, ANNE], [refused], 0)
    assert run(CASES[:1]) == ([ANNE], [], 0)


def test_failures_are_told_and_tried_again(shop: Shop) -> None:
    results, failures = shop.run(Parrot(fails="Peter"))
    assert [r.text for r in results] == ["Anne 1", "Anne 2"]
    assert [(f.system, f.case, f.why) for f in failures] == [
        ("parrot", CASES[1], "draft_rejected: It was nonsense, twice.")
    ]
    parrot = Parrot()
    results, failures = shop.run(parrot)
    assert parrot.asked == ["Peter"]
    assert len(results) == 3
    assert not failures


def test_nobody_is_asked_about_whom_the_book_does_not_know(shop: Shop) -> None:
    parrot = Parrot()
    results, failures = shop.run(parrot, cases=[case("One.", who="Zenobia")])
    assert not results
    assert parrot.asked == []
    assert failures[0].system is None
    assert "Zenobia" in failures[0].why


def test_half_a_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    with ResultLog(path) as kept:
        kept.put("one", {"text": "“Ja”"})
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"key":"two","text":"\xe2\x80')
    with ResultLog(path) as kept:
        assert kept.get("one") == {"text": "“Ja”"}
        assert kept.get("two") is None
        kept.put("two", {"text": "again"})
    assert path.read_bytes().startswith(whole)
    with ResultLog(path) as kept:
        assert (len(kept), kept.get("two")) == (2, {"text": "again"})


def test_a_line_that_does_not_read_counts_as_not_done(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text('{"key": "one", "x": 1}\nnonsense\n[1]\n"x"\n{"x": 2}\n')
    with ResultLog(path) as kept:
        assert len(kept) == 1
        assert kept.get("one") == {"x": 1}


def test_one_at_a_time(tmp_path: Path) -> None:
    with ResultLog(tmp_path / "kept.jsonl"), pytest.raises(RunInUse, match=r"kept\.jsonl"):
        ResultLog(tmp_path / "kept.jsonl")
    with ResultLog(tmp_path / "kept.jsonl") as kept:
        assert len(kept) == 0


KILLED = """
import os, sys
from pathlib import Path
from evaluation.portraits.result_log import ResultLog
kept = ResultLog(Path(sys.argv[1]))
for number in range(100000):
    kept.put(str(number), {"text": "x" * 2000})
    if number == 20:
        print("going", flush=True)
"""


def test_a_process_that_is_killed_leaves_what_it_did(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "going\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    with ResultLog(path) as kept:
        assert len(kept) >= 21
        assert all(kept.get(str(number)) == {"text": "x" * 2000} for number in range(len(kept)))


def test_a_key_is_of_values_and_not_of_their_order() -> None:
    assert key_of({"a": 1, "b": None}) == key_of({"b": None, "a": 1})
    assert key_of({"a": 1}) != key_of({"a": 2})
