"""Who may import whom inside the big rooms; no circles of files; one class, one name.

A sub-room sees the sub-rooms listed for it, and those files beside the sub-rooms that import none of them
themselves (`types.py`, `errors.py` and the like). Files beside the sub-rooms that do import some, such as
a registry, stand above all of them, and only what `ABOVE` lists may look up to them.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

import pytest

from tests.architecture.source import Module, modules

MAY_IMPORT: Mapping[str, Mapping[str, set[str]]] = {
    "books.shape": {
        "headings": set(),
        "body": {"headings"},
        "frame": {"body"},
        "plays": {"headings", "body"},
    },
    "coref": {
        "language": set(),
        "names": {"language"},
        "speech": {"language", "names"},
        "traits": {"language"},
        "booknlp": {"language"},
        "chinese": {"language", "names"},
        "rules": {"language", "names", "speech"},
        "native": {"language", "names", "speech", "traits"},
        "training": {"language", "names", "speech", "rules", "native"},
        "decisions": {"language"},
        "export": {"booknlp"},
    },
    "generation": {
        "story": set(),
        "models": set(),
        "checking": {"story", "models"},
        "writing": {"story", "models", "checking"},
        "quiz": {"story", "models", "writing"},
        "training": {"models", "writing"},
    },
    "service": {
        "observability": set(),
        "jobs": {"observability"},
        "usecases": {"observability"},
        "health": {"observability", "usecases"},
        "wire": {"health", "observability", "usecases"},
        "http": {"health", "jobs", "observability", "usecases", "wire"},
        "pages": {"http"},
        "cli": {"health", "http", "jobs", "observability", "usecases", "wire"},
    },
}
BELOW = {
    "coref": {
        "types",
        "errors",
        "protocols",
        "languages",
        "census",
        "doubtful_people",
        "gate",
        "lookup",
        "packing",
        "storage",
    },
    "service": {
        *("access", "answers_in_progress", "engines", "errors", "formats", "job_failures"),
        *("memory_estimate", "rate_limits", "services", "settings", "shelf"),
    },
}
"""Files beside the sub-rooms that every sub-room may import, although they look into one themselves."""
ABOVE = {
    "generation": {("training", "answering")},
    "service": {("cli", "app"), ("cli", "assembly"), ("jobs", "assembly")},
}
SHARED_CLASS_NAMES = 0
"""Classes of these rooms that share their name with another one; the number may only fall."""


def members(room: str) -> Iterator[tuple[Module, str]]:
    """The modules of a room, each with the sub-room or the file at the room's root that it belongs to."""
    path = room.replace(".", "/") + "/"
    for module in modules(room.split(".")[0]):
        if module.name.startswith(path):
            yield module, _part(module.name.removesuffix(".py").replace("/", "."), room)


def _part(name: str, room: str) -> str:
    return name[len(room) + 1 :].split(".")[0]


def _imported(module: Module, room: str) -> Iterator[str]:
    return (_part(name, room) for name in module.imports if name.startswith(room + "."))


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_every_sub_room_has_a_rule(room: str) -> None:
    folders = {part for module, part in members(room) if module.name.count("/") > room.count(".") + 1}
    assert folders - {"data"} == set(MAY_IMPORT[room])


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_direction_of_sub_rooms(room: str) -> None:
    rules, files = MAY_IMPORT[room], _files(room)
    wrong = [
        f"{module.name} imports {room}.{other}"
        for module, part in members(room)
        if part in rules
        for other in _imported(module, room)
        if other != part
        and other not in rules[part]
        and (other in rules or other in files)
        and (part, other) not in ABOVE.get(room, ())
    ]
    assert not wrong


def _files(room: str) -> set[str]:
    """Files at the room's root that import a sub-room, and so stand above all sub-rooms."""
    rules = MAY_IMPORT[room]
    found = {part for module, part in members(room) if set(rules) & set(_imported(module, room))}
    return found - set(rules) - BELOW.get(room, set())


def test_no_circles_of_files() -> None:
    """A circle hides in late imports, too: they count."""
    names = {_dotted(module): module for module in modules()}
    graph = {name: {i for i in module.imports if i in names and i != name} for name, module in names.items()}
    left = dict(graph)
    while ends := [name for name, to in left.items() if not to & left.keys()]:
        for name in ends:
            del left[name]
    starts = Counter(n for to in left.values() for n in to if n in left)
    while loose := [name for name in left if not starts[name]]:
        for name in loose:
            starts.subtract(n for n in left.pop(name) if n in starts)
    assert not left, "these import one another, or stand between two that do"


def _dotted(module: Module) -> str:
    return module.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def test_a_class_name_means_one_thing() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for module in modules("coref", "retrieval", "generation", "evaluation"):
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(module.name)
    shared = {name: places for name, places in found.items() if len(places) > 1}
    assert sum(map(len, shared.values())) <= SHARED_CLASS_NAMES, shared
