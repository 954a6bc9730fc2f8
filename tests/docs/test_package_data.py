"""What the packages hold beside code travels with them: into the repository, the wheel and the container."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pytest

from coref.native.weights import FILE, MANIFEST, PLACE

ROOT = Path(__file__).parents[2]
WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"][
    "wheel"
]
WEIGHTS = tuple(PLACE.relative_to(ROOT) / name for name in (FILE, MANIFEST))


def data() -> Iterator[PurePosixPath]:
    for package in WHEEL["packages"]:
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and path.suffix not in (".py", ".pyc"):
                yield PurePosixPath(path.relative_to(ROOT))
    yield from map(PurePosixPath, WEIGHTS)


def patterns(name: str) -> list[str]:
    """The lines that leave something out: the container's begins with leaving out all, then lets rooms in."""
    lines = (ROOT / name).read_text("utf-8").splitlines()
    return [line for line in lines if re.match(r"[^#!\s]", line) and line != "*"]


def is_left_out(path: PurePosixPath, pattern: str) -> bool:
    if pattern.startswith("/"):
        return path.is_relative_to(pattern.strip("/"))
    plain = pattern.removeprefix("**/").rstrip("/")
    return any(fnmatch(part, plain) for part in path.parts)


@pytest.mark.parametrize("name", [".gitignore", ".dockerignore"])
def test_no_data_is_left_out(name: str) -> None:
    assert patterns(name)
    wrong = [
        (str(path), pattern) for path in data() for pattern in patterns(name) if is_left_out(path, pattern)
    ]
    assert not wrong


def test_the_patterns_are_understood() -> None:
    assert is_left_out(PurePosixPath("coref/dist/a.txt"), "dist/")
    assert is_left_out(PurePosixPath("coref/a.pyc"), "**/*.py[cod]")
    assert is_left_out(PurePosixPath("data/a.txt"), "/data/")
    assert not is_left_out(PurePosixPath("coref/data/a.txt"), "/data/")


def test_the_wheel_takes_packages_whole() -> None:
    assert set(WHEEL) == {"packages"}, "nothing is excluded, and no list of files can lack one"
    assert all(Path(path).parts[0] in WHEEL["packages"] for path in WEIGHTS)
