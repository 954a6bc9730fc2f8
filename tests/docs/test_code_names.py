"""What the documents name of the code is there: files and folders, and the types of the glossary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

from tests.architecture.source import ROOMS
from tests.docs.tables import DOCUMENTS, NOTES, ROOT

_PLACES = (*ROOMS, "tests", "benchmarks", "docs")
_PATH = re.compile(rf"(?<![\w/.<-])(?:{'|'.join(_PLACES)})/[\w/.-]*")
_ENTRY = re.compile(r"^\| ([^|`]+) \| [^|]+ \| `([\w.]+)` \|$", re.M)
GLOSSARY = _ENTRY.findall((ROOT / "docs" / "glossary.md").read_text("utf-8"))
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def paths() -> Iterator[str]:
    """What stands in back-ticks or in a console block and looks like a path of the repository."""
    for document in (*DOCUMENTS, *NOTES):
        text = document.read_text("utf-8")
        for code in re.findall(r"```.*?```|`[^`\n]+`", text, re.S):
            yield from (found.rstrip(".") for found in _PATH.findall(code))


def test_a_path_exists() -> None:
    named = set(paths())
    assert len(named) > 100
    assert not [path for path in named if not (ROOT / path).exists()]


def test_a_type_of_the_glossary_is_named_where_it_is_defined() -> None:
    for _, name in GLOSSARY:
        module, _, thing = name.rpartition(".")
        found = getattr(import_module(module), thing, None)
        assert isinstance(found, type), name
        assert found.__module__ == module, name


def test_a_word_of_the_glossary_has_one_line_and_one_type() -> None:
    words, types = zip(*GLOSSARY, strict=True)
    assert len(GLOSSARY) >= 40
    assert len(set(words)) == len(set(types)) == len(GLOSSARY)


def test_every_room_is_in_the_architecture() -> None:
    assert all(f"| `{room}/` |" in ARCHITECTURE for room in ROOMS)


def test_every_folder_of_a_big_room_is_in_the_architecture() -> None:
    rooms = [ROOT / room for room in ("books", "coref", "generation", "service")]
    folders = {p.parent.relative_to(ROOT).as_posix() for room in rooms for p in room.glob("*/__init__.py")}
    assert not [folder for folder in folders - {"coref/data"} if f"`{folder}/" not in ARCHITECTURE]
