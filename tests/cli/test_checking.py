"""`bookworm check`, `reference(s)`, `overrule` and `overrulings`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from books.types import Span
from generation.checking.protocols import Judge
from generation.errors import JudgeUnavailable
from generation.registry import JUDGES
from generation.types import Category, Claim, Fact, Label, Verdict
from service.cli.answer_view import verdict_of
from service.cli.exits import Exit
from service.usecases.given_texts import TEXT_MOST
from service.wire.checking import CheckOut
from tests.cli.conftest import Bookworm

WHO = "Captain Briggs"
SAID = "Captain Briggs was the master of the supply boat. He flew to the moon on a zeppelin."


@pytest.fixture
def text(tmp_path: Path) -> Path:
    file = tmp_path / "said.txt"
    file.write_text(SAID, "utf-8")
    return file


def test_of_a_quotation_only_whom_it_means_is_judged() -> None:
    claim = Claim("She sang.", Category.EVENT, 0, Span(0, 9), "ann", quoted=True)
    surely, hardly = (Verdict(label, 0.7, (), "offline") for label in (Label.SUPPORTED, Label.UNCERTAIN))
    assert [verdict_of(Fact(claim, each)) for each in (surely, hardly)] == ["quoted 0.70", "uncertain 0.70"]
    assert verdict_of(Fact(replace(claim, quoted=False), surely)) == "supported 0.70"


def test_a_text_is_checked(bookworm: Bookworm, book: str, text: Path) -> None:
    ran = bookworm("check", book, "--character", WHO, "--text", str(text), "--json")
    assert ran.status == Exit.OK, ran.out
    found = CheckOut.model_validate(ran.json)
    assert [f.label for f in found.facts] == ["supported", "unsupported"]
    assert (found.prisma.supported, found.prisma.facts) == (1, 2)
    shown = bookworm("check", book, "--character", WHO, "--text", str(text)).out
    assert "PRISMA 0.50: 1 of 2 facts supported" in shown
    assert all(fact.id in shown for fact in found.facts)
    assert "a text of 17 words" in shown


def test_the_gate_and_the_judge_are_heeded(bookworm: Bookworm, book: str, tmp_path: Path) -> None:
    file = tmp_path / "later.txt"
    file.write_text("Margaret Lowe married Captain Briggs in June.", "utf-8")
    options = ("--character", "Margaret", "--text", str(file), "--json")
    assert bookworm("check", book, *options).json["prisma"]["supported"] == 1
    gated = bookworm("check", book, *options, "--upto", "1").json
    assert (gated["prisma"]["supported"], gated["upto"] is None) == (0, False)
    nobody = bookworm("check", book, *options, "--judge", "nobody")
    assert (nobody.status, nobody.json["code"]) == (Exit.USAGE, "usage")
    assert "llm, nli, offline" in nobody.json["detail"]


def test_a_judge_that_is_away_is_an_error(
    bookworm: Bookworm, book: str, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away:
        name = "away/1"

        def judge(self, cases: object) -> object:
            raise JudgeUnavailable("The judge does not answer.")

    def make(*_: object) -> Judge:
        return Away()  # type: ignore[return-value]

    monkeypatch.setitem(JUDGES, "away", make)
    ran = bookworm("check", book, "--character", WHO, "--text", str(text), "--judge", "away", "--json")
    assert (ran.status, ran.json["code"]) == (Exit.UNAVAILABLE, "judge_unavailable")


@pytest.mark.parametrize(
    ("content", "code"),
    [("", "text_missing"), ("\x07 …", "text_missing"), ("word " * 100_000, "text_too_long")],
)
def test_what_is_no_text_is_refused(
    bookworm: Bookworm, book: str, tmp_path: Path, content: str, code: str
) -> None:
    file = tmp_path / "said.txt"
    file.write_text(content, "utf-8")
    for command in (("check", book, "--character", WHO), ("reference", book, WHO, "--source", "me")):
        ran = bookworm(*command, "--text", str(file), "--json")
        assert (ran.status, ran.json["code"]) == (Exit.ERROR, code)
    assert f"{TEXT_MOST:,}" in ran.json["detail"] or code == "text_missing"


def test_a_file_that_is_no_text_is_refused(bookworm: Bookworm, book: str, tmp_path: Path) -> None:
    file = tmp_path / "said.txt"
    file.write_bytes(b"\xff\xfe\x00\x80")
    ran = bookworm("check", book, "--character", WHO, "--text", str(file), "--json")
    assert (ran.status, ran.json["code"]) == (Exit.ERROR, "file_trouble")


def test_a_reference_is_kept_compared_and_forgotten(bookworm: Bookworm, own: Path, text: Path) -> None:
    def run(*arguments: str) -> object:
        ran = bookworm(*arguments, "--json", data_dir=own)
        assert ran.status == Exit.OK, ran.out
        return ran.json

    book = run("books")["items"][0]["id"]  # type: ignore[index]
    missing = bookworm("reference", book, WHO, "--json", data_dir=own)
    assert (missing.status, missing.json["code"]) == (Exit.NOT_FOUND, "reference_missing")
    kept = run("reference", book, WHO, "--text", str(text), "--source", "A. Reader")
    assert (kept["text"], kept["counts"]) == (SAID, True)  # type: ignore[index]
    assert run("reference", book, WHO) == kept
    assert run("references", book)["items"] == [kept]  # type: ignore[index]
    shown = bookworm("references", book, data_dir=own).out
    assert "A. Reader" in shown
    assert SAID in " ".join(bookworm("reference", book, WHO, data_dir=own).out.split())
    described = run("describe", book, WHO)["prisma"]["reference"]  # type: ignore[index]
    assert (described["source"], described["whole"]["wanted"]) == ("A. Reader", 2)
    assert "Compared with “A. Reader”: " in bookworm("describe", book, WHO, data_dir=own).out
    same = run("check", book, "--character", WHO, "--text", str(text), "--reference", "description")
    whole = same["prisma"]["reference"]["whole"]  # type: ignore[index]
    assert (whole["precision"], whole["recall"], whole["f1"]) == (1.0, 1.0, 1.0)
    other = bookworm(
        "check", book, "--character", WHO, "--text", str(text), "--reference", "analysis", "--json",
        data_dir=own,
    )  # fmt: skip
    assert other.json["code"] == "reference_missing"
    assert run("reference", book, WHO, "--delete") == {"deleted": True}
    assert run("reference", book, WHO, "--delete") == {"deleted": False}
    assert "There are none" in bookworm("references", book, data_dir=own).err


def test_a_verdict_is_overruled_and_restored(bookworm: Bookworm, own: Path) -> None:
    book = bookworm("books", "--json", data_dir=own).json["items"][0]["id"]
    answer = ("describe", book, WHO, "--generator", "scripted")
    fact = bookworm(*answer, "--json", data_dir=own).json["facts"][2]
    ran = bookworm(
        "overrule", book, fact["id"], "supported", "--comment", "I saw it.", "--json", data_dir=own
    )
    assert (ran.json["judged"], ran.json["label"], ran.json["by"]) == ("unsupported", "supported", None)
    shown = bookworm(*answer, data_dir=own).out
    assert "Changed by readers: 1 of 3 verdicts" in shown
    assert "supported (marked by a reader;" in " ".join(shown.split())
    listed = bookworm("overrulings", book, "--json", data_dir=own).json
    assert (listed["total"], listed["items"]) == (1, [ran.json])
    assert "I saw it." in bookworm("overrulings", book, data_dir=own).out
    assert bookworm("overrulings", book, "--upto", "1", "--json", data_dir=own).json["total"] == 0
    assert "is now contradicted" in bookworm("overrule", book, fact["id"], "contradicted", data_dir=own).out
    assert bookworm("overrule", book, fact["id"], "--delete", "--json", data_dir=own).json == {
        "deleted": True
    }
    assert "had not been changed" in bookworm("overrule", book, fact["id"], "--delete", data_dir=own).err
    assert "No verdicts" in bookworm("overrulings", book, data_dir=own).err


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "BOOK", "--text", "TEXT"),
        ("check", "BOOK", "--character", WHO),
        ("reference", "BOOK", WHO, "--text", "TEXT"),
        ("reference", "BOOK", WHO, "--source", "me"),
        ("reference", "BOOK", WHO, "--text", "TEXT", "--source", "me", "--delete"),
        ("reference", "BOOK", WHO, "--task", "joint"),
        ("overrule", "BOOK", "f_1"),
        ("overrule", "BOOK", "f_1", "perhaps"),
        ("overrule", "BOOK", "f_1", "supported", "--delete"),
    ],
)
def test_what_makes_no_sense_is_a_mistake_of_usage(
    bookworm: Bookworm, book: str, text: Path, arguments: tuple[str, ...]
) -> None:
    given = [{"BOOK": book, "TEXT": str(text)}.get(a, a) for a in arguments]
    ran = bookworm(*given, "--json")
    assert (ran.status, ran.json["code"]) == (Exit.USAGE, "usage")


def test_a_fact_that_nobody_stated(bookworm: Bookworm, book: str) -> None:
    ran = bookworm("overrule", book, "f_none", "supported", "--json")
    assert (ran.status, ran.json["code"]) == (Exit.NOT_FOUND, "fact_unknown")
