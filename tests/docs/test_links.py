"""Every link and picture of the documents leads somewhere, also to a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import ROOMS
from tests.docs.tables import DOCUMENTS, NOTES, ROOT

_LINK = re.compile(r"\]\(([^()\s]+)\)")
_CODE = re.compile(r"```.*?```", re.S)
_HEADING = re.compile(r"^#+ (.+)$", re.M)


def links() -> Iterator[tuple[str, str]]:
    for path in (*DOCUMENTS, *NOTES):
        for target in _LINK.findall(_CODE.sub("", path.read_text("utf-8"))):
            yield path.relative_to(ROOT).as_posix(), target


def anchors(path: Path) -> set[str]:
    """The addresses that GitHub gives the headings of a document."""
    headings = _HEADING.findall(_CODE.sub("", path.read_text("utf-8")))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_a_link_leads_somewhere() -> None:
    for document, target in {each for each in links() if not each[1].startswith("https://")}:
        file, _, anchor = target.partition("#")
        here = ROOT / document
        there = (here.parent / file).resolve() if file else here
        assert there.exists(), (document, target)
        assert there.is_relative_to(ROOT), f"on any other machine {target} would be dead"
        assert not anchor or anchor in anchors(there), (document, target)


def test_every_document_can_be_reached() -> None:
    reached = {(ROOT / document).parent / target.partition("#")[0] for document, target in links()}
    pages = {path.resolve() for path in DOCUMENTS if path.parent.name == "docs" and path.name != "README.md"}
    assert pages <= {path.resolve() for path in reached}


def test_every_picture_is_shown_with_words() -> None:
    for path in DOCUMENTS:
        for words in re.findall(r"!\[([^]]*)\]", path.read_text("utf-8")):
            assert words.strip(), path.name


def test_documents_that_the_code_names_exist() -> None:
    name = re.compile(r"\b[\w/]+/\w+\.md\b")
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    named = {(path, found) for path in files for found in name.findall(path.read_text("utf-8"))}
    assert len(named) > 5
    assert not [(path, found) for path, found in named if not (ROOT / found).is_file()]
