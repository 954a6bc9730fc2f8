"""The README's tables say what is so."""

from __future__ import annotations

import re

import pytest

from tests.docs.tables import README, TABLES, written

TEXT = README.read_text("utf-8")


def test_every_table_is_in_the_readme() -> None:
    assert set(written(TEXT)) == set(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_table(name: str) -> None:
    assert written(TEXT)[name] == TABLES[name](), "`make docs` writes the tables anew"


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
    "name", sorted({t for line in re.findall(r"make ([a-z ]+)", TEXT) for t in line.split()})
)
def test_make_targets_exist(name: str) -> None:
    makefile = (README.parent / "Makefile").read_text("utf-8")
    words = {"it", "in", "a", "them"}
    assert name in words or re.search(rf"^{name}:", makefile, re.M)
