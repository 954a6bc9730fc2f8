"""Books in and out of the library, and the questions that may be asked of them."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service.assembly import assembled
from service.cli import output
from service.cli.exits import Exit
from service.jobs import ingest, stages
from service.settings import Settings
from tests.cli.conftest import STORY, Bookworm


def test_a_book_is_there_once(bookworm: Bookworm, story: Path, book: str) -> None:
    again = bookworm("ingest", str(story), "--json").json
    assert (again["book"]["id"], again["book"]["state"]) == (book, "ready")
    assert (again["created"], again["job"]) == (False, None)
    assert len(bookworm("books", "--json").json["items"]) == 1


def test_the_list_is_readable(bookworm: Bookworm, book: str) -> None:
    shown = bookworm("books").out
    assert book in shown
    assert "ready" in shown


def test_title_and_author_may_be_given(
    bookworm: Bookworm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")
    file = tmp_path / "x.txt"
    file.write_text(STORY + "\n\nThe end.\n", "utf-8")
    told = bookworm(
        "ingest", str(file), "--title", "Ours", "--author", "Us", "--json", data_dir=tmp_path / "d"
    ).json["book"]
    assert (told["title"], told["author"]) == ("Ours", "Us")


def test_another_library_is_another_shelf(
    bookworm: Bookworm, shelf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from service.cli.app import run

    assert run(["--data-dir", str(shelf), "--library", "other", "books", "--json"]) == Exit.OK
    assert capsys.readouterr().out.split() == ["{", '"items":', "[],", '"next":', "null", "}"]


def test_work_can_be_left_to_the_workers(bookworm: Bookworm, story: Path, tmp_path: Path) -> None:
    told = bookworm("ingest", str(story), "--no-wait", "--json", data_dir=tmp_path / "d").json
    assert (told["book"]["state"], told["book"]["version"]) == ("pending", None)
    assert (told["created"], told["job"]["state"]) == (True, "queued")


def test_everybody_is_listed_also_beyond_those_with_a_line(
    bookworm: Bookworm, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody = bookworm("characters", book, "--json").json["items"]
    monkeypatch.setattr("service.cli.characters.WHO", 1)
    shown = bookworm("characters", book).out
    assert len(everybody) > 1
    assert all(person["id"] in shown for person in everybody)


def test_characters(bookworm: Bookworm, book: str) -> None:
    cast = bookworm("characters", book, "--json").json
    names = [c["name"] for c in cast["items"]]
    assert any("Margaret" in n for n in names)
    assert any("Briggs" in n for n in names)
    shown = bookworm("characters", book).out
    assert all(n in shown for n in names[:2])


def test_the_gate_closes_the_cast(bookworm: Bookworm, book: str) -> None:
    """Counts are of what was read."""
    whole = bookworm("characters", book, "--json").json["items"][0]["mention_count"]
    first = bookworm("characters", book, "--upto", "1", "--json").json["items"][0]["mention_count"]
    assert 0 < first < whole


def test_a_book_has_a_short_id_a_title_and_a_file(bookworm: Bookworm, book: str) -> None:
    whole = bookworm("characters", book, "--json").json
    (record,) = (b for b in bookworm("books", "--json").json["items"] if b["id"] == book)
    for given in (book[:9], "the lamp at harbour point", record["filename"].upper()):
        assert bookworm("characters", given, "--json").json == whole
    for given in (book[:5], "The Lamp at Habour Point"):
        ran = bookworm("characters", given, "--json")
        assert (ran.status, ran.json["code"]) == (Exit.NOT_FOUND, "book_unknown")
    assert f"Near: The Lamp at Harbour Point ({book})." in ran.json["detail"]


def test_two_drafts_with_one_title_are_told_apart(
    bookworm: Bookworm, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")
    draft = tmp_path / "draft-2.txt"
    draft.write_text(STORY + "\n\nThe end.\n", "utf-8")
    title = ("--title", "The Lamp at Harbour Point")
    new = bookworm("ingest", str(draft), *title, "--json", data_dir=own).json["book"]["id"]
    ran = bookworm("characters", "the lamp at harbour point", "--json", data_dir=own)
    assert (ran.status, ran.json["remedy"]) == (Exit.NOT_FOUND, "Use the id of the one that you mean.")
    assert ran.json["detail"].startswith("2 books match “the lamp at harbour point”: bk_")
    assert "(draft-2.txt, added " in ran.json["detail"]
    assert "draft-2.txt" in bookworm("books", data_dir=own).out
    (old,) = {b["id"] for b in bookworm("books", "--json", data_dir=own).json["items"]} - {new}
    bookworm("doubts", old, "--merge", "Margaret", "Peter", data_dir=own)
    copied = bookworm("corrections", new, "--copy-from", old, "--json", data_dir=own).json["items"]
    assert [d["kind"] for d in copied] == ["merge"]
    unknown = bookworm("corrections", new, "--copy-from", "no such draft", "--json", data_dir=own).json
    assert unknown["detail"] == "There is no book “no such draft”."


def test_a_book_is_processed_again_after_an_upgrade(
    bookworm: Bookworm, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (before,) = bookworm("books", "--json", data_dir=own).json["items"]
    bookworm("correct", before["id"], "rename", "Agnes Vane", "--name", "The sister", data_dir=own)
    corrected = bookworm("corrections", before["id"], "--json", data_dir=own).json
    (same,) = bookworm("reprocess", before["id"], "--json", data_dir=own).json["items"]
    assert same["version"] == before["version"]
    newer = tuple(replace(s, version=s.version + 1) if s.name == "resolve" else s for s in stages.WRITING)
    for module in (stages, ingest):
        monkeypatch.setattr(module, "WRITING", newer)
    (after,) = bookworm("reprocess", "--all", "--json", data_dir=own).json["items"]
    assert (after["id"], after["state"]) == (before["id"], "ready")
    assert after["version"] != before["version"]
    assert corrected
    assert bookworm("corrections", before["id"], "--json", data_dir=own).json == corrected


def test_a_book_that_cannot_be_processed_keeps_no_other_from_it(
    bookworm: Bookworm, own: Path, tmp_path: Path
) -> None:
    french = tmp_path / "french.txt"
    french.write_text("Il était une fois une vieille dame qui vivait avec son chat dans la maison. " * 40)
    assert bookworm("ingest", str(french), data_dir=own).status == Exit.ERROR
    ran = bookworm("reprocess", "--all", "--json", data_dir=own)
    assert (ran.status, [book["state"] for book in ran.json["items"]]) == (Exit.ERROR, ["ready"])
    assert "Processing french.txt" in ran.err


def test_books_that_processing_again_may_change_are_told(
    bookworm: Bookworm, book: str, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [each["outdated"] for each in bookworm("books", "--json", data_dir=own).json["items"]] == [False]
    assert "outdated" not in bookworm("books", data_dir=own).out
    newer = tuple(replace(s, version=s.version + (s.name == "index")) for s in stages.WRITING)
    monkeypatch.setattr(stages, "WRITING", newer)
    assert [each["outdated"] for each in bookworm("books", "--json", data_dir=own).json["items"]] == [True]
    listed = bookworm("books", data_dir=own)
    assert "ready, outdated" in " ".join(listed.out.split())
    assert "bookworm reprocess --all" in listed.err


@pytest.mark.parametrize("arguments", [[], ["Lamp", "--all"]])
def test_books_to_process_again_are_named_or_all(bookworm: Bookworm, arguments: list[str]) -> None:
    ran = bookworm("reprocess", *arguments)
    assert (ran.status, "Name books, or pass --all." in ran.err) == (Exit.USAGE, True)


def test_a_book_is_deleted_on_confirmation(
    bookworm: Bookworm, book: str, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = bookworm("delete", book, data_dir=own)
    assert (refused.status, refused.out) == (Exit.USAGE, "")
    assert "--yes" in refused.err
    monkeypatch.setattr(output, "at_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert bookworm("delete", book, data_dir=own).status == Exit.ERROR
    assert bookworm("books", "--json", data_dir=own).json["items"]
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert "was deleted" in bookworm("delete", "the lamp at harbour point", data_dir=own).err
    assert bookworm("books", "--json", data_dir=own).json["items"] == []


def test_a_book_is_deleted_without_a_question(bookworm: Bookworm, book: str, own: Path, story: Path) -> None:
    unknown = bookworm("delete", str(story), "--yes", "--json", data_dir=own)
    assert (unknown.status, unknown.json["code"]) == (Exit.NOT_FOUND, "book_unknown")
    assert bookworm("delete", book, "--yes", "--json", data_dir=own).json == {"deleted": book}
    assert bookworm("delete", book, "--yes", data_dir=own).status == Exit.NOT_FOUND


def test_square_brackets_of_a_title_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    output.tell("“The Lamp [illustrated]” was deleted.")
    assert "[illustrated]" in capsys.readouterr().err


def test_an_encoding_that_cannot_be_read_is_forgotten(bookworm: Bookworm, tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text(STORY, "utf-8")
    refused = bookworm("ingest", str(file), "--encoding", "ascii", "--json", data_dir=tmp_path / "d")
    assert refused.json["code"] == "not_text"
    assert bookworm("ingest", str(file), "--json", data_dir=tmp_path / "d").json["book"]["state"] == "ready"


def test_a_typo_behind_a_gate_gets_near_names_of_those_met(bookworm: Bookworm, book: str) -> None:
    ran = bookworm("describe", book, "Margret", "--upto", "1", "--json")
    assert ran.json["code"] == "not_yet_met"
    assert "Near names: Margaret" in ran.json["detail"]


def test_a_typo_over_the_library_gets_near_names_of_those_met(bookworm: Bookworm) -> None:
    for name, upto, code in (
        ("Margret", ("--upto", "1"), "not_yet_met"),
        ("Margret", (), "character_unknown"),
    ):
        ran = bookworm("describe", name, *upto, "--json")
        assert ran.json["code"] == code
        assert "Near names: Margaret" in ran.json["detail"]
    assert "Near" not in bookworm("describe", "Peter", "--upto", "p:1", "--json").json["detail"]


def test_a_new_data_folder_is_told(bookworm: Bookworm, tmp_path: Path) -> None:
    assert "is a new folder" in "".join(bookworm("books", data_dir=tmp_path / "mistyped").err.split("\n"))


def test_a_file_is_a_book(bookworm: Bookworm, story: Path, book: str) -> None:
    assert bookworm("characters", str(story), "--json").json == bookworm("characters", book, "--json").json


def test_passages(bookworm: Bookworm, book: str) -> None:
    told = bookworm("passages", book, "Captain Briggs", "-k", "2", "--json").json
    assert 0 < len(told["items"]) <= 2
    assert all(STORY[p["span"]["start"] : p["span"]["end"]] == p["text"] for p in told["items"])
    assert "Briggs" in bookworm("passages", book, "Captain Briggs").out


def test_options_of_passages(bookworm: Bookworm, book: str) -> None:
    def told(*options: str) -> list[dict[str, Any]]:
        ran = bookworm("passages", book, "Captain Briggs", "--json", "--retriever", "bm25", *options)
        assert ran.status == Exit.OK, ran.out
        items: list[dict[str, Any]] = ran.json["items"]
        return items

    whole = told("--k", "9")
    assert [p["index"] for p in whole] == sorted(p["index"] for p in whole)
    best = told("--k", "9", "--order", "score")
    assert [p["found"][0]["rank"] for p in best] == list(range(1, len(best) + 1))
    assert 0 < len(told("--k", "9", "--budget", "60")) < len(whole)
    with_more = told("--k", "1", "--neighbours", "1")
    assert {f["source"] for p in with_more for f in p["found"]} == {"bm25", "neighbour"}
    drawn = {
        bookworm("passages", book, "Peter", "--retriever", "random", "-k", "3", "--seed", str(seed)).out
        for seed in range(6)
    }
    assert len(drawn) > 1
    shown = bookworm("passages", book, "Captain Briggs", "--retriever", "hybrid").out
    assert "no. 1 by mentions" in shown
    beside = bookworm("passages", book, "Captain Briggs", "--k", "1", "--neighbours", "1").out
    assert "next to no. 1" in beside


def test_search_options(bookworm: Bookworm, book: str) -> None:
    hits = bookworm("search", "storm lamp stairs", "-k", "3", "--json").json["items"]
    assert [(h["rank"], h["rank_in_book"]) for h in hits] == [(n, n) for n in range(1, len(hits) + 1)]
    assert len(bookworm("search", "storm lamp stairs", "--per-book", "1", "--json").json["items"]) == 1
    assert bookworm("search", "storm lamp stairs", "--budget", "1", "--json").json["items"] == []
    nothing = bookworm("search", "zebra aeroplane")
    assert (nothing.out, nothing.err.strip()) == ("", "No results.")
    assert "meaning" not in bookworm("search", "storm", "-k", "1").out
    more = bookworm("search", "storm", "--k", "1", "--neighbours", "1", "--retriever", "bm25", "--json").json[
        "items"
    ]
    assert {h["found"][0]["source"] for h in more} == {"bm25", "neighbour"}
    assert bookworm("search", "storm", "--retriever", "lead").status == Exit.USAGE


def test_search_is_over_the_library(bookworm: Bookworm, book: str) -> None:
    hits = bookworm("search", "storm lamp stairs", "-k", "3", "--json").json["items"]
    assert hits[0]["book"]["id"] == book
    assert "storm" in hits[0]["text"]
    assert [h["score"] for h in hits] == sorted((h["score"] for h in hits), reverse=True)
    assert (
        bookworm("search", "storm", "--book", book, "--upto", "1", "--retriever", "bm25", "--json").json[
            "items"
        ]
        == []
    )


def test_describe(bookworm: Bookworm, book: str) -> None:
    told = bookworm("describe", book, "Captain Briggs", "--json").json
    assert told["task"] == "description"
    assert told["text"]
    assert any(s["citations"] for s in told["sentences"])
    shown = bookworm("describe", book, "Captain Briggs").out
    assert "[ch. " in shown
    assert "PRISMA" in shown


def test_describe_by_name_over_the_library(bookworm: Bookworm, book: str) -> None:
    assert bookworm("describe", "Captain Briggs", "--json").json["book"] == book


def test_options_have_an_effect(bookworm: Bookworm, book: str) -> None:
    told = bookworm(
        "describe", book, "Captain Briggs", "--upto", "1", "--retriever", "bm25", "--seed", "7", "--json"
    ).json
    provenance = told["provenance"]
    assert provenance["retriever"] == "bm25"
    assert provenance["seed"] == 7
    assert provenance["upto"] == STORY.index("Chapter 2") or provenance["upto"] <= STORY.index("Chapter 2")
    assert all(c["chapter"] == 1 for s in told["sentences"] for c in s["citations"])


def test_analyse_and_joint(bookworm: Bookworm, book: str) -> None:
    assert bookworm("analyse", book, "Captain Briggs", "--json").json["task"] == "analysis"
    both = bookworm("joint", book, "Captain Briggs", "Margaret", "--json").json
    assert len(both["characters"]) == 2
    assert len(bookworm("joint", book, "--json").json["characters"]) >= 2


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (("characters", "nosuchbook"), Exit.NOT_FOUND, "book_unknown"),
        (("describe", "BOOK", "Queen Victoria"), Exit.NOT_FOUND, "character_unknown"),
        (("describe", "BOOK", "Queen Victoria", "--upto", "1"), Exit.NOT_FOUND, "not_yet_met"),
        (("describe", "BOOK", "Lowe"), Exit.AMBIGUOUS, "character_ambiguous"),
        (("describe", "BOOK", "Captain Briggs", "--upto", "nine"), Exit.USAGE, "gate_invalid"),
        (("describe", "BOOK", "Captain Briggs", "--generator", "oracle"), Exit.USAGE, "usage"),
        (("passages", "BOOK", "Captain Briggs", "--retriever", "oracle"), Exit.USAGE, "retriever_unknown"),
        (("describe", "BOOK", "Captain", "Briggs"), Exit.USAGE, "usage"),
        (("describe",), Exit.USAGE, "usage"),
        (("ingest", "/no/such/file"), Exit.USAGE, "usage"),
        (("search", "storm", "--upto", "1"), Exit.USAGE, "usage"),
        (("search", "by:Margaret storm"), Exit.USAGE, "search_invalid"),
        (("search", ""), Exit.USAGE, "search_invalid"),
    ],
)
def test_what_goes_wrong(
    bookworm: Bookworm, book: str, arguments: tuple[str, ...], status: Exit, code: str
) -> None:
    given = [book if a == "BOOK" else a for a in arguments]
    ran = bookworm(*given, "--json")
    assert (ran.status, ran.json["code"]) == (status, code)
    assert ran.err == ""
    told = bookworm(*given)
    assert told.status == status
    assert told.out == ""
    assert "Error" in told.err
    assert len(told.err.strip().splitlines()) <= 8


def test_candidates_are_told(bookworm: Bookworm, book: str) -> None:
    ran = bookworm("describe", book, "Lowe", "--json")
    assert len(ran.json["candidates"]) == 2
    for candidate in ran.json["candidates"]:
        assert bookworm("describe", book, candidate).status == Exit.OK


def test_candidates_of_the_library_are_told_with_their_book(bookworm: Bookworm) -> None:
    ran = bookworm("describe", "Lowe", "--json")
    assert ran.status == Exit.AMBIGUOUS
    for candidate in ran.json["candidates"]:
        assert bookworm("describe", candidate, "--json").json["characters"][0]["id"] in candidate


def test_a_file_that_is_not_there_is_no_book(bookworm: Bookworm) -> None:
    ran = bookworm("describe", "nofile.txt", "Captain Briggs", "--json")
    assert (ran.status, ran.json["code"]) == (Exit.NOT_FOUND, "book_unknown")
    assert "file" in ran.json["remedy"]


def test_a_data_folder_that_cannot_be_made_is_told_plainly(bookworm: Bookworm, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = bookworm("books", "--json", data_dir=tmp_path / "file" / "data")
    assert (ran.status, ran.json["code"]) == (Exit.ERROR, "file_trouble")


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    from service.cli.app import run

    assert run([]) == Exit.USAGE
    captured = capsys.readouterr()
    assert "annotate" in captured.out
    assert captured.err == ""


def test_stopping_from_the_keyboard_cancels_the_job(
    bookworm: Bookworm, story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.cli import progress

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")
    monkeypatch.setattr(progress.Progress, "update", interrupted)
    ran = bookworm("ingest", str(story), data_dir=tmp_path)
    assert ran.status == Exit.INTERRUPTED
    assert ran.err == "Completed stages are kept. Run the same command again to continue.\nStopped.\n"
    monkeypatch.undo()
    monkeypatch.setenv("BOOKWORM_EMBEDDER", "hashing")
    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")
    assert bookworm("ingest", str(story), "--json", data_dir=tmp_path).json["book"]["state"] == "ready"


def test_a_job_that_is_being_cancelled_is_waited_for(
    bookworm: Bookworm, story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from db.repositories import JobRepository
    from db.types import JobRecord
    from service.cli import library
    from service.services import Services

    book_id = bookworm("ingest", str(story), "--no-wait", "--json", data_dir=tmp_path).json["book"]["id"]
    watch, being_cancelled = library.watch, []

    def ended(services: Services, job: JobRecord, *, label: str) -> JobRecord:
        if not job.cancel_requested:
            return watch(services, job, label=label)
        being_cancelled.append(job.id)
        with services.database.session() as session:
            JobRepository(session).cancel(job.id)
        return job

    settings = Settings(data_dir=tmp_path)
    with assembled(settings, jobs_here=False) as services, services.database.session() as session:
        jobs = JobRepository(session)
        job = jobs.latest(book_id)
        assert job is not None
        assert jobs.start(job.id, worker="elsewhere")
        jobs.request_cancel(job.id)
    monkeypatch.setattr(library, "watch", ended)
    assert bookworm("ingest", str(story), "--json", data_dir=tmp_path).json["book"]["state"] == "ready"
    assert len(being_cancelled) == 1


def test_a_narrow_terminal_shows_whole_names(
    bookworm: Bookworm, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody = bookworm("characters", book, "--json").json["items"]
    for width in (80, 60):
        monkeypatch.setattr(output.out, "width", width)
        shown = bookworm("characters", book).out
        assert "…" not in shown
        assert ("Pronouns" in shown) == (width == 80)
        assert all(word in shown for person in everybody for word in person["name"].split())


def test_whatever_else_goes_wrong_is_one_line_and_a_trace_if_wanted(
    bookworm: Bookworm, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from safetensors.numpy import save_file

    from service.library import Library

    monkeypatch.setattr(Library, "books", lambda *_, **__: save_file({}, tmp_path / "no" / "weights"))
    assert bookworm("books", "--json").json["code"] == "file_trouble"

    def burst(*_: object, **__: object) -> None:
        raise RuntimeError("burst")

    monkeypatch.setattr(Library, "books", burst)
    ran = bookworm("books", "--json")
    assert (ran.status, ran.json["code"]) == (Exit.ERROR, "unforeseen")
    with pytest.raises(RuntimeError, match="burst"):
        bookworm("--verbose", "books")


def test_what_is_given_has_no_control_characters_and_a_blank_is_as_if_not_given(
    bookworm: Bookworm, tmp_path: Path
) -> None:
    file = tmp_path / "x.txt"
    file.write_text(STORY + "\n\nThe end.\n", "utf-8")

    def title(*options: str) -> Any:
        ran = bookworm("ingest", str(file), "--no-wait", *options, "--json", data_dir=tmp_path / "d")
        options_kept = ran.json["book"]["options"]
        return options_kept["title"], options_kept["author"]

    assert title("--title", "  ", "--author", "\t\x1b") == (None, None)
    assert title("--title", "A\x1b]0;b\x07\n[/red]\x9b", "--author", "Us") == ("A]0;b [/red]", "Us")
    assert title("--title", " ") == ("A]0;b [/red]", "Us")


def test_a_terminal_gets_no_control_characters_of_a_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = "a\x1b[31m\x9b[/b]\x07é\tz\n"
    table = output.table("Title")
    table.add_row(odd)
    for show in (output.out.print, output.tell, output.warn):
        show(odd)
    output.out.print(table)
    output.write_json([odd])
    output.write_text(odd)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    output.write_text(odd)
    captured = capsys.readouterr()
    assert captured.out.count(odd) == 1, "a file gets the text as it is"
    rest = captured.out.replace(odd, "") + captured.err
    assert not {"\x1b", "\x9b", "\x07"} & set(rest)
    assert rest.count("a[31m[/b]é") == 5
    assert r"a\u001b[31m\u009b[/b]\u0007é" in rest
