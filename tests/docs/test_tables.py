"""The README's tables say what is so."""

from __future__ import annotations

import re

import pytest

from books.errors import UnsupportedLanguage
from tests.docs.tables import README, TABLES, written

TEXT = README.read_text("utf-8")


def test_every_table_is_in_the_readme() -> None:
    assert set(written(TEXT)) == set(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_table(name: str) -> None:
    assert written(TEXT)[name] == TABLES[name](), "`make docs` writes the tables anew"


def test_the_languages_are_those_that_are_understood() -> None:
    from books.languages import SUPPORTED, name_of

    names = " and ".join(name_of(code) for code in SUPPORTED)
    assert f"**Languages.** {names} are understood." in TEXT
    assert f"{names} are understood" in UnsupportedLanguage.remedy


def test_no_more_is_cut_than_is_said() -> None:
    from books.shape.body import matter
    from books.shape.frame import apparatus, boilerplate

    assert {apparatus._MAX_CUT, boilerplate._MAX_CUT, matter._MAX_CUT} == {0.3}
    assert "more than 30% of the text" in TEXT


def test_every_format_and_part_has_its_words() -> None:
    from books.formats.registry import READERS
    from books.types import Part
    from service.formats import FORMATS

    assert set(FORMATS) == set(READERS)
    assert re.findall(r"^\| `(\w+)` ", TABLES["apart"](), re.M) == [part.value for part in Part]


def test_what_it_is_in_three_sentences() -> None:
    first = TEXT.split("\n\n")[1]
    assert len(re.findall(r"[.?!](?=\s|$)", first)) == 3


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)\)", TEXT))
def test_links_lead_somewhere(target: str) -> None:
    assert target.startswith("https://") or (README.parent / target).exists()


@pytest.mark.parametrize("setting", sorted(set(re.findall(r"`(BOOKWORM_[A-Z_]+)`", TEXT))))
def test_settings_that_are_spoken_of_exist(setting: str) -> None:
    from service.settings import Settings

    assert setting.removeprefix("BOOKWORM_").lower() in Settings.model_fields


@pytest.mark.parametrize(
    "name", sorted({t for line in re.findall(r"make ([a-z -]+)", TEXT) for t in line.split()})
)
def test_make_targets_exist(name: str) -> None:
    makefile = (README.parent / "Makefile").read_text("utf-8")
    words = {"it", "in", "a", "them"}
    assert name in words or re.search(rf"^{name}:", makefile, re.M)
