"""The stage process: engines named once, failures told, death noticed, models kept, orphans impossible."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import books.storage
from books.edits import ChapterMark, make_edit
from books.errors import EmptyBook
from books.limits import Limits
from books.reading import read as read_book
from books.types import ChaptersBy
from service.encoder_bits import BitsRule
from service.jobs import child
from service.jobs.errors import INTERNAL, StageFailed
from service.jobs.process import CHILD, Processes, StageProcess
from service.jobs.stages import Upload
from tests.jobs.house import STORY

NO_LIMITS = Limits()


def nothing(*_: object) -> None:
    return


@pytest.fixture
def process() -> StageProcess:
    return StageProcess((*CHILD, "rules", "hashing"))


def read(
    process: StageProcess, folder: Path, data: bytes = STORY.encode(), limits: Limits = NO_LIMITS, **how: Any
) -> Path:
    (folder / "source").write_bytes(data)
    out = folder / "out"
    out.mkdir(exist_ok=True)
    process.run(
        "read",
        upload=Upload("0" * 64, "story.txt", title="A Story", **how),
        limits=limits,
        source=folder / "source",
        done=folder / "done",
        out=out,
        progress=nothing,
        idle=nothing,
    )
    return out


def test_stage_runs_and_the_process_is_kept(process: StageProcess, tmp_path: Path) -> None:
    out = read(process, tmp_path)
    first = process._process
    assert "A Story" in (out / "structure.json").read_text()
    assert process.engines(idle=nothing)["resolver"].startswith("rules")
    read(process, tmp_path)
    assert process._process is first
    process.kill()


def test_error_of_a_stage_travels_with_code_and_sentence(process: StageProcess, tmp_path: Path) -> None:
    with pytest.raises(StageFailed) as caught:
        read(process, tmp_path, b"")
    assert (caught.value.code, caught.value.retryable) == ("empty_book", False)
    read(process, tmp_path)
    process.kill()


def test_error_of_a_stage_travels_with_its_remedy(process: StageProcess, tmp_path: Path) -> None:
    with pytest.raises(StageFailed) as caught:
        read(process, tmp_path, b"")
    assert caught.value.advice == EmptyBook.remedy
    process.kill()


def test_how_a_book_is_to_be_read_travels_to_the_stage(process: StageProcess, tmp_path: Path) -> None:
    text = "小说\n\n" + "他走了很久，一直走到海边。" * 20
    book = read_book(text.encode())
    edit = make_edit(book, [ChapterMark(0, "一"), ChapterMark(4, "二")])
    out = read(process, tmp_path, text.encode("gb18030"), encoding="gb18030", edit=edit)
    read_so = books.storage.load(out)
    assert read_so.text == text
    assert [c.title for c in read_so.chapters] == ["一", "二"]
    assert read_so.report.chapters_by == ChaptersBy.READER
    process.kill()


def test_limits_travel_to_the_stage(process: StageProcess, tmp_path: Path) -> None:
    packed = gzip.compress(STORY.encode())
    read(process, tmp_path, packed)
    with pytest.raises(StageFailed) as caught:
        read(process, tmp_path, packed, limits=Limits(unpacked=100))
    assert caught.value.code == "book_too_large"
    process.kill()


def test_process_that_died_idle_is_started_again(process: StageProcess, tmp_path: Path) -> None:
    read(process, tmp_path)
    process.kill()
    read(process, tmp_path)
    process.kill()


def test_caller_that_changes_its_mind_stops_the_stage(process: StageProcess, tmp_path: Path) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    process.engines(idle=nothing)
    assert process._process is not None
    process._process.send_signal(signal.SIGSTOP)  # it will not answer
    with pytest.raises(KeyboardInterrupt):
        process.run(
            "read",
            upload=Upload("0" * 64),
            limits=Limits(),
            source=tmp_path,
            done=tmp_path,
            out=tmp_path,
            progress=nothing,
            idle=stop,
        )
    assert process._process.poll() is not None


def test_a_process_whose_caller_leaves_while_it_starts_is_not_kept(
    process: StageProcess, tmp_path: Path
) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        process.engines(idle=stop)
    assert process.engines(idle=nothing)["resolver"].startswith("rules")
    read(process, tmp_path)
    process.kill()


@pytest.mark.parametrize("engines", [("no such resolver", "hashing"), ("rules", "no such embedder")])
def test_missing_engine_is_told(engines: tuple[str, str]) -> None:
    process = StageProcess((*CHILD, *engines))
    with pytest.raises(StageFailed) as caught:
        process.engines(idle=nothing)
    assert caught.value.code in ("resolver_unavailable", "embedder_unavailable")


def test_ctrl_c_at_a_terminal_does_not_reach_a_process_that_starts(process: StageProcess) -> None:
    process._start()
    assert process._process is not None
    assert os.getpgid(process._process.pid) != os.getpgid(0)
    process.kill()


def test_idle_process_is_used_again_and_a_second_is_started_only_when_needed() -> None:
    bits = BitsRule("16", Path("bits"))
    processes = Processes(resolver="rules", embedder="hashing", bits=bits)
    with processes.one() as first, processes.one() as second:
        assert first is not second
        assert bits.to_line() in first._command
    with processes.one() as again:
        assert again in (first, second)
        again.engines(idle=nothing)
    started = again._process
    assert started is not None
    assert started.poll() is None
    processes.kill()
    assert started.poll() is not None


def test_process_ends_when_nobody_needs_it_any_more() -> None:
    code = "import service.jobs.child as child; child.IDLE_SECONDS = 0.2; child.main()"
    ended = subprocess.Popen(
        [sys.executable, "-c", code, "rules", "hashing"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert ended.wait(timeout=60) == 0
    assert ended.stdin is not None
    assert ended.stdout is not None
    ended.stdin.close()
    ended.stdout.close()


def test_message_of_an_unforeseen_error_stays_where_it_is() -> None:
    told = child._told(KeyError("a word of the book"))
    assert told["code"] == INTERNAL
    assert "KeyError" in told["detail"]
    assert "a word of the book" not in told["detail"]


def test_signal_to_the_whole_group_leaves_the_decision_to_the_worker(
    process: StageProcess, tmp_path: Path
) -> None:
    read(process, tmp_path)
    first = process._process
    assert first is not None
    for number in (signal.SIGTERM, signal.SIGINT):
        first.send_signal(number)
    read(process, tmp_path)
    assert process._process is first
    process.kill()
