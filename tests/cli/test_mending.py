"""The command line mends an unsound book itself, says so, and then answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.cli.exits import Exit
from tests.cli.conftest import Bookworm


def index_of(data_dir: Path) -> Path:
    (found,) = data_dir.glob("books/*/*/index")
    return found


def test_a_damaged_index_is_made_anew_and_the_command_goes_on(bookworm: Bookworm, own: Path) -> None:
    book = bookworm("books", "--json", data_dir=own).json["items"][0]["id"]
    before = bookworm("passages", book, "Margaret", "--json", data_dir=own).json
    (index_of(own) / "passages.npy").write_bytes(b"gone")
    after = bookworm("passages", book, "Margaret", "--json", data_dir=own)
    assert (after.status, after.json) == (Exit.OK, before), after.err
    assert "reprocessed" in after.err
    quiet = bookworm("passages", book, "Margaret", "--json", data_dir=own)
    assert "reprocessed" not in quiet.err


def test_a_search_mends_what_it_needs_also_for_another_embedder(
    bookworm: Bookworm, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = bookworm("search", "the storm", "--json", "--retriever", "bm25", data_dir=own)
    assert before.status == Exit.OK
    monkeypatch.setenv("BOOKWORM_EMBEDDER", "minilm")  # which the hashing one's vectors do not fit
    found = bookworm("search", "the storm", "--json", "--retriever", "dense", data_dir=own)
    assert found.status == Exit.OK, found.err
    assert "reprocessed" in found.err
    assert found.json["items"]
    assert {f["source"] for hit in found.json["items"] for f in hit["found"]} == {"dense"}
    again = bookworm("search", "the storm", "--json", "--retriever", "bm25", data_dir=own)
    assert again.json == before.json


def test_what_cannot_be_mended_is_told(bookworm: Bookworm, own: Path) -> None:
    book = bookworm("books", "--json", data_dir=own).json["items"][0]["id"]
    (index_of(own).parent / "text.txt").write_bytes(b"gone")
    (index_of(own).parent.parent / "source").unlink()
    failed = bookworm("characters", book, "--json", data_dir=own)
    assert failed.status != Exit.OK
    assert failed.json["remedy"] == "Upload the book again."
    searched = bookworm("search", "the storm", "--json", data_dir=own)
    assert (searched.status, searched.json["items"]) == (Exit.OK, [])
    assert [one["book"]["id"] for one in searched.json["skipped"]] == [book]
    assert "Not searched" in searched.err
