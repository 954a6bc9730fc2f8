"""`describe`, `analyse` and `joint` by a language model: strategies, plans, streams, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generation.models.types import WriterSetup
from generation.registry import GENERATORS
from service.cli.exits import Exit
from service.usecases.answer_request import SUMMARY_MOST
from tests.cli.conftest import STORY, Bookworm
from tests.service.writers import REASON, Babbling, Double

WHO = "Captain Briggs"
MODEL = ("--generator", "scripted-model")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[Double]:
    """Those that were made as `watched`."""
    made: list[Double] = []

    def make(_: WriterSetup) -> Double:
        made.append(Double("watched"))
        return made[-1]

    monkeypatch.setitem(GENERATORS, "watched", make)
    return made


def test_describe_has_every_option_of_a_question(
    bookworm: Bookworm, book: str, watched: list[Double], tmp_path: Path
) -> None:
    def given(*options: str) -> Double:
        ran = bookworm("describe", book, WHO, "--generator", "watched", "--refresh", "--json", *options)
        assert ran.status == Exit.OK, ran.out
        return watched[-1]

    summary = tmp_path / "summary.txt"
    summary.write_text("\ufeffA lamp saves a captain.", "utf-8")
    assert given("--summary", str(summary)).given[-1].summary == "A lamp saves a captain."
    told = given("--strategy", "lead", "--cast").given[-1]
    assert (told.strategy, bool(told.cast_list)) == ("lead", True)
    told = given("-k", "1", "--task", "analysis").given[-1]
    assert (len(told.passages), told.task) == (1, "analysis")
    limits = ("--temperature", "0.9", "--words", "50", "--seed", "3", "--tokens", "9000")
    asked = given("--upto", "1", *limits)
    assert asked.given[-1].context.upto is not None
    kept = asked.limits[-1]
    assert (kept.temperature, kept.words, kept.seed, kept.tokens) == (0.9, 50, 3, 9000)


def test_analyse_and_joint_have_them_too(bookworm: Bookworm, book: str) -> None:
    analysis = bookworm("analyse", book, WHO, *MODEL, "--strategy", "hierarchical", "--json").json
    assert (analysis["task"], analysis["provenance"]["strategy"]) == ("analysis", "hierarchical")
    same = bookworm(
        "describe", book, WHO, "--task", "analysis", *MODEL, "--strategy", "hierarchical", "--json"
    )
    assert same.json == analysis
    both = bookworm("joint", book, WHO, "Margaret", *MODEL, "--cast", "--json").json
    assert (len(both["characters"]), both["task"]) == (2, "joint")


def test_the_page_tells_cost_and_prompts(bookworm: Bookworm, book: str) -> None:
    shown = bookworm("describe", book, WHO, *MODEL).out
    assert "Cost: 1 call, " in shown
    assert "strategy retrieve, prompts " in shown
    offline = bookworm("describe", book, WHO).out
    assert "Cost: 0 calls, " in offline
    assert "prompts" not in offline


def test_markdown(bookworm: Bookworm, book: str) -> None:
    for command in (
        ("describe", book, WHO),
        ("joint", book, WHO, "Margaret"),
        ("ask", book, f"Who is {WHO}?"),
    ):
        shown = bookworm(*command, "--markdown").out
        assert shown == bookworm(*command, "--json").json["markdown"]
        assert "\n[^1]: Chapter " in shown
    assert bookworm("describe", book, WHO, "--markdown").out.startswith(f"# {WHO}\n\n")
    early = bookworm("ask", book, f"Who is {WHO} by the end of chapter 1?", "--markdown").out
    assert "\n\nFrom the book up to the end of chapter 1.\n\n" in early
    assert bookworm("ask", "all", f"Who is {WHO}?", "--markdown").out.startswith(f"# Who is {WHO}?\n\n")


def test_sheets_in_one_file_do_not_share_footnotes(bookworm: Bookworm, own: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.txt"
    again.write_text(f"{STORY}\nThe end.\n", "utf-8")
    assert bookworm("ingest", str(again), "--json", data_dir=own).status == Exit.OK
    sheet = bookworm("ask", "all", f"Who is {WHO}?", "--markdown", data_dir=own).out
    assert sheet.count("# Who is") == 2
    defined = re.findall(r"^(\[\^[\d-]+\]):", sheet, re.MULTILINE)
    assert len(defined) == len(set(defined)) >= 2
    assert set(re.findall(r"\[\^[\d-]+\]", sheet)) == set(defined)


def test_a_rejected_draft_is_shown_as_one(
    bookworm: Bookworm, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GENERATORS, "babbling", lambda _: Babbling("babbling"))
    shown = " ".join(bookworm("describe", book, WHO, "--generator", "babbling").out.split())
    assert "Rejected: a draft by babbling/1" in shown
    assert REASON in shown
    assert "Note: What babbling/1 wrote was rejected, so this is the offline answer" in shown
    sheet = bookworm("describe", book, WHO, "--generator", "babbling", "--markdown")
    assert "Rejected" not in sheet.out
    assert "Rejected: a draft by babbling/1" in " ".join(sheet.err.split())
    assert "Note: What babbling/1 wrote was rejected" in " ".join(sheet.err.split())
    monkeypatch.setenv("BOOKWORM_OFFLINE_FALLBACK", "false")
    ran = bookworm("describe", book, WHO, "--generator", "babbling", "--json")
    assert (ran.status, ran.json["code"]) == (Exit.UNAVAILABLE, "draft_rejected")


def test_a_plan(bookworm: Bookworm, book: str, watched: list[Double]) -> None:
    asked = ("describe", book, WHO, "--generator", "watched", "--dry-run", "--seed", "41", "--tokens", "9000")
    planned = bookworm(*asked, "--json").json
    assert (planned["calls"], planned["kept"], planned["budget"]) == (1, False, 9000)
    shown = bookworm(*asked).out
    assert "not generated" in shown
    assert f"At most 1 call, {planned['prompt_tokens']:,} + " in shown
    assert "of 9,000 allowed" in shown
    assert all(not one.given for one in watched)
    bookworm("describe", book, WHO, "--generator", "watched", "--seed", "41", "--tokens", "9000")
    assert "It is stored already" in bookworm(*asked).out


def test_a_stream_leaves_stdout_to_the_answer(bookworm: Bookworm, book: str) -> None:
    ran = bookworm("describe", book, WHO, *MODEL, "--refresh", "--stream", "--json")
    assert ran.json["task"] == "description"
    heard = " ".join(ran.err.split())
    assert " ".join(ran.json["text"].split()[:3]) in heard
    page = bookworm("describe", book, WHO, "--stream")
    assert "PRISMA" in page.out
    assert page.err.strip()


def test_an_answer_that_is_begun_again_is_told(
    bookworm: Bookworm, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GENERATORS, "babbling", lambda _: Babbling("babbling"))
    err = bookworm("describe", book, WHO, "--generator", "babbling", "--stream").err
    assert "Margaret Margaret Margaret" in err
    assert "Starting again" in err


def test_a_server_that_is_down(bookworm: Bookworm, book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOKWORM_OPENAI_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("BOOKWORM_OPENAI_MODEL", "anything")
    monkeypatch.setenv("BOOKWORM_OPENAI_ATTEMPTS", "1")
    ran = bookworm("describe", book, WHO, "--generator", "openai", "--json")
    assert (ran.status, ran.json["rejected"]["generator"]) == (0, "openai/1:anything")
    monkeypatch.setenv("BOOKWORM_OFFLINE_FALLBACK", "false")
    ran = bookworm("describe", book, WHO, "--generator", "openai", "--json")
    assert (ran.status, ran.json["code"]) == (Exit.UNAVAILABLE, "model_server_failed")


@pytest.mark.parametrize(
    ("options", "status", "code"),
    [
        (("--strategy", "lead"), Exit.ERROR, "strategy_unsupported"),
        (("--strategy", "everything"), Exit.USAGE, "usage"),
        (("--cast",), Exit.ERROR, "strategy_unsupported"),
        (("--summary", "SUMMARY"), Exit.ERROR, "strategy_unsupported"),
        ((*MODEL, "--strategy", "summary"), Exit.ERROR, "summary_missing"),
        ((*MODEL, "--summary", "EMPTY"), Exit.ERROR, "summary_missing"),
        ((*MODEL, "--summary", "HUGE"), Exit.ERROR, "summary_too_long"),
        ((*MODEL, "--summary", "BYTES"), Exit.ERROR, "file_trouble"),
        ((*MODEL, "--summary", "/no/such/file"), Exit.USAGE, "usage"),
        ((*MODEL, "--tokens", "20"), Exit.ERROR, "budget_exceeded"),
        ((*MODEL, "--temperature", "9"), Exit.USAGE, "usage"),
        ((*MODEL, "--dry-run", "--stream"), Exit.USAGE, "usage"),
        ((*MODEL, "--dry-run", "--markdown"), Exit.USAGE, "usage"),
        ((*MODEL, "--markdown"), Exit.USAGE, "usage"),
        (("--generator", "llama"), Exit.UNAVAILABLE, "generator_unavailable"),
        (("--generator", "openai"), Exit.UNAVAILABLE, "generator_unavailable"),
    ],
)
@pytest.mark.parametrize("command", ["describe", pytest.param("joint", marks=pytest.mark.soak)])
def test_what_is_refused(
    bookworm: Bookworm,
    book: str,
    tmp_path: Path,
    command: str,
    options: tuple[str, ...],
    status: Exit,
    code: str,
) -> None:
    files = {
        "SUMMARY": b"A lamp saves a captain.",
        "EMPTY": b" \n",
        "HUGE": b"x" * (SUMMARY_MOST + 1),
        "BYTES": b"\xff\xfe\x00",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    given = [str(tmp_path / option) if option in files else option for option in options]
    ran = bookworm(command, book, WHO, *given, "--json")
    assert (ran.status, ran.json["code"]) == (status, code)


def test_somebody_who_is_mentioned_once(bookworm: Bookworm, book: str) -> None:
    gates = (f"p:{number}" for number in range(30))
    upto = next(g for g in gates if bookworm("describe", book, WHO, "--upto", g).status == Exit.OK)
    told = bookworm("describe", book, WHO, "--upto", upto, "--json").json
    assert told["characters"][0]["mention_count"] <= 2
    assert 0 < len(told["text"].split()) < 60
    assert bookworm("describe", book, WHO, "--upto", upto, *MODEL).status == Exit.OK


def test_a_book_that_is_still_being_read(bookworm: Bookworm, story: Path, tmp_path: Path) -> None:
    later = bookworm("ingest", str(story), "--no-wait", "--json", data_dir=tmp_path / "later").json["book"]
    for command in ("describe", "analyse", "profile"):
        ran = bookworm(command, later["id"], WHO, "--json", data_dir=tmp_path / "later")
        assert ran.json["code"] == "book_not_ready", command
        assert ran.status == Exit.ERROR


def test_no_book_is_read_for_a_writer_that_is_not_there(
    bookworm: Bookworm, story: Path, tmp_path: Path
) -> None:
    ran = bookworm("describe", str(story), WHO, "--generator", "llama", "--json", data_dir=tmp_path / "new")
    assert (ran.status, ran.json["code"]) == (Exit.UNAVAILABLE, "generator_unavailable")
    assert bookworm("books", "--json", data_dir=tmp_path / "new").json["items"] == []


def test_ten_thousand_names_are_refused_before_any_work(
    bookworm: Bookworm, story: Path, tmp_path: Path
) -> None:
    names = [f"Somebody {i}" for i in range(10_000)]
    ran = bookworm("joint", str(story), *names, "--json", data_dir=tmp_path / "new")
    assert (ran.status, ran.json["code"]) == (Exit.ERROR, "too_many_characters")
    assert not (tmp_path / "new").exists()
