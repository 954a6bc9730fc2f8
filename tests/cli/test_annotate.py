"""`bookworm annotate`: a file in, a document out, no database."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from books.reading import read
from service.cli.exits import Exit
from service.cli.files import write_text
from tests.cli.conftest import STORY, Bookworm


def test_it_writes_the_document(bookworm: Bookworm, story: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    ran = bookworm("annotate", str(story), "-o", str(target), data_dir=tmp_path / "none")
    assert ran.status == Exit.OK
    assert ran.out == ""
    document = json.loads(target.read_text("utf-8"))
    assert document["schema"] == "bookworm.annotations/1"
    assert not (tmp_path / "none").exists(), "no data folder is needed"


def test_the_document_has_the_shape_of_the_contract(bookworm: Bookworm, story: Path) -> None:
    document = bookworm("annotate", str(story)).json
    keys = {
        "chapters": {"index", "title", "start", "end"},
        "paragraphs": {"index", "chapter", "start", "end"},
        "characters": {"id", "name", "aliases", "pronouns", "mention_count", "kind"},
        "mentions": {"start", "end", "kind", "character"},
        "quotes": {"start", "end", "speaker", "addressee", "confidence"},
    }
    for name, wanted in keys.items():
        assert document[name], name
        assert all(wanted <= set(entry) for entry in document[name])
    people = {c["id"] for c in document["characters"]}
    assert all(isinstance(p, str) for p in people)
    assert {m["character"] for m in document["mentions"]} <= people | {None}
    assert document["sha256"] == read(STORY.encode()).sha256


def test_spans_point_into_the_text(bookworm: Bookworm, story: Path) -> None:
    document = bookworm("annotate", str(story)).json
    said = [STORY[q["start"] : q["end"]] for q in document["quotes"]]
    assert "“Bring the rope!”" in said
    names = {STORY[m["start"] : m["end"]] for m in document["mentions"] if m["kind"] == "PROP"}
    assert {"Captain Briggs", "Margaret Lowe"} <= names


def test_gzip_is_the_same(bookworm: Bookworm, story: Path, tmp_path: Path) -> None:
    packed = tmp_path / "lamp.txt.gz"
    packed.write_bytes(gzip.compress(STORY.encode()))
    assert bookworm("annotate", str(packed)).json == bookworm("annotate", str(story)).json


def test_it_is_the_same_every_time(bookworm: Bookworm, story: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "1.json", tmp_path / "2.json"
    for target in (one, two):
        assert bookworm("annotate", str(story), "-o", str(target)).status == Exit.OK
    assert one.read_bytes() == two.read_bytes()


def test_json_tells_where_it_went(bookworm: Bookworm, story: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    told = bookworm("annotate", str(story), "-o", str(target), "--json").json
    assert told["output"] == str(target)
    assert told["characters"] == len(json.loads(target.read_text("utf-8"))["characters"])


def test_a_document_that_cannot_be_written_leaves_the_old_one(
    bookworm: Bookworm, story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ran = bookworm("annotate", str(story), "-o", str(target))
    assert ran.status == Exit.ERROR
    assert "No space left" in ran.err
    assert [p.name for p in tmp_path.iterdir()] == ["out.json"]
    assert target.read_text() == "old"


def test_the_target_of_a_link_is_written_and_not_the_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    for _ in ("new", "there already"):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        write_text(link, "told")
        assert link.is_symlink()
        assert target.read_text("utf-8") == "told"


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    private, new = tmp_path / "private.json", tmp_path / "new.json"
    private.write_text("")
    private.chmod(0o600)
    for path in (private, new):
        write_text(path, "told")
    assert private.stat().st_mode & 0o777 == 0o600
    assert new.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def test_a_link_that_leads_to_itself_is_replaced(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(link)
    write_text(link, "told")
    assert link.read_text() == "told"


def test_the_standard_output_is_not_replaced(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\nfrom service.cli.files import write_text\n"
        "print('before')\nwrite_text(Path('/dev/stdout'), 'told\\n')\nprint('after')"
    )
    out = tmp_path / "out.txt"
    with out.open("w") as stdout:
        subprocess.run([sys.executable, "-c", code], stdout=stdout, check=True)
    assert out.read_text() == "before\ntold\nafter\n"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "told")
        assert os.read(reader, 100) == b"told"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_book"),
        (bytes(range(1, 256)) * 9, "not_text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "unsupported_format"),
        (b"%PDF-1.7 ...", "unsupported_format"),
    ],
)
def test_what_is_no_book_is_refused(bookworm: Bookworm, tmp_path: Path, data: bytes, code: str) -> None:
    file = tmp_path / "book"
    file.write_bytes(data)
    ran = bookworm("annotate", str(file), "--json")
    assert ran.status == Exit.ERROR
    assert ran.json["code"] == code
    assert ran.json["remedy"].endswith(".")


def test_an_unknown_resolver_is_refused(bookworm: Bookworm, story: Path) -> None:
    ran = bookworm("annotate", str(story), "--resolver", "oracle")
    assert ran.status == Exit.USAGE
    assert "rules" in ran.err
