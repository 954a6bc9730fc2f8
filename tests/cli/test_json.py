"""`--json` prints what the API returns: its models take no other fields."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from service.wire.books import BookPage, UploadOut
from service.wire.keys import KeyMadeOut, KeyPage
from service.wire.operations import ModelsOut
from service.wire.passages import SearchOut
from tests.cli.conftest import Bookworm


@pytest.mark.parametrize(
    ("command", "model"),
    [
        (("books",), BookPage),
        (("reprocess", "--all"), BookPage),
        (("search", "storm"), SearchOut),
        (("search", "storm", "--book", "the lamp at harbour point", "--retriever", "bm25"), SearchOut),
        (("keys", "create", "x"), KeyMadeOut),
        (("keys", "list"), KeyPage),
        (("models",), ModelsOut),
    ],
)
def test_json_is_that_of_the_api(
    bookworm: Bookworm, own: Path, command: tuple[str, ...], model: type[BaseModel]
) -> None:
    found = bookworm(*command, "--json", data_dir=own).json
    if command == ("models",):
        assert set(found.pop("room")) == {"device", "free", "billions"}
    assert model.model_validate(found).model_dump(mode="json") == found


def test_the_answer_to_an_upload(bookworm: Bookworm, own: Path, story: Path) -> None:
    told = UploadOut.model_validate(bookworm("ingest", str(story), "--json", data_dir=own).json)
    assert (told.created, told.job) == (False, None)
