"""The tables of the documents, and what they say of settings, targets and limits, say what is so."""

from __future__ import annotations

import re

import pytest

from books.errors import UnsupportedLanguage
from tests.docs.tables import DOCUMENTS, ROOT, TABLES, written

TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in DOCUMENTS}
TEXT = "\n".join(TEXTS.values())
READING = TEXTS["docs/formats.md"]
README_LINES = 200


def test_every_table_stands_in_one_document() -> None:
    assert {name: len(found) for name, found in written().items()} == dict.fromkeys(TABLES, 1)


@pytest.mark.parametrize("name", TABLES)
def test_table(name: str) -> None:
    ((document, body),) = written()[name]
    assert body == TABLES[name](), f"`make docs` writes the table in {document} anew"


def test_the_readme_is_short() -> None:
    assert len(TEXTS["README.md"].splitlines()) <= README_LINES


def test_the_languages_are_those_that_are_understood() -> None:
    from books.languages import SUPPORTED, name_of

    names = " and ".join(name_of(code) for code in SUPPORTED)
    assert f"{names} are understood." in READING
    assert f"{names} are supported" in UnsupportedLanguage.remedy


def test_no_more_is_cut_than_is_said() -> None:
    from books.shape.body import matter
    from books.shape.frame import apparatus, boilerplate

    assert {apparatus._MAX_CUT, boilerplate._MAX_CUT, matter._MAX_CUT} == {0.3}
    assert "more than 30% of the text" in READING


def test_every_format_and_part_has_its_words() -> None:
    from books.formats.registry import READERS
    from books.types import Part
    from service.formats import FORMATS

    assert set(FORMATS) == set(READERS)
    assert re.findall(r"^\| `(\w+)` ", TABLES["apart"](), re.M) == [part.value for part in Part]


def test_what_it_is_in_three_sentences() -> None:
    first = TEXTS["README.md"].split("\n\n")[1]
    assert len(re.findall(r"[.?!](?=\s|$)", first)) == 3


def test_somebody_called_none_is_not_read_as_a_missing_value() -> None:
    lines = READING.splitlines()
    assert [line for line in lines if "read_csv" in line]
    assert all("**how" in line for line in lines if "read_csv" in line)
    assert 'how = {"encoding": "utf-8-sig", "keep_default_na": False, "na_values": [""]}' in lines


def test_settings_that_are_spoken_of_exist() -> None:
    from service.settings import Settings

    spoken = {name.lower() for name in re.findall(r"`BOOKWORM_([A-Z_]+)`", TEXT)}
    assert len(spoken) > 50
    assert not spoken - Settings.model_fields.keys()


def test_make_targets_exist() -> None:
    spoken = {t for line in re.findall(r"(?:^|`)make ([a-z -]+)", TEXT, re.M) for t in line.split()}
    assert len(spoken) > 10
    assert not spoken.difference(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
