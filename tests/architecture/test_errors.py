"""Every error has a word of its own, a remedy, and a meaning in HTTP."""

from __future__ import annotations

import importlib
import re

from books.errors import BookwormError
from service.http.statuses import STATUS
from tests.architecture.source import COMMANDS, ROOMS, ROOT


def errors() -> list[type[BookwormError]]:
    """All there are: every module that speaks of the base class is imported first."""
    for path in (path for room in ROOMS if room != "migrations" for path in (ROOT / room).rglob("*.py")):
        if "BookwormError" in path.read_text("utf-8"):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    found, todo = [], [BookwormError]
    while todo:
        below = todo.pop().__subclasses__()
        todo += below
        found += [e for e in below if e.__module__.split(".")[0] != "tests"]
    return sorted(set(found), key=lambda e: (e.__module__, e.__name__))


ALL = errors()
LOCAL = [e for e in ALL if e.__module__.replace(".", "/").startswith(("service/cli/", *COMMANDS))]
"""Errors of the command line itself never travel over HTTP."""


def test_each_has_a_meaning_in_http() -> None:
    assert not [e for e in ALL if e not in LOCAL and e not in STATUS]


def test_each_has_a_word_and_a_remedy_of_its_own() -> None:
    for error in (e for e in ALL if "code" in vars(e)):
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", error.code), error
        assert vars(error).get("remedy", "").endswith("."), error


def test_a_class_without_a_word_is_only_a_base() -> None:
    assert not [e.__name__ for e in ALL if "code" not in vars(e) and not e.__subclasses__()]


def test_words_are_unique() -> None:
    codes = [e.code for e in ALL if "code" in vars(e)]
    assert sorted(codes) == sorted(set(codes))


def test_the_table_has_nobody_else() -> None:
    assert set(STATUS) <= {BookwormError, *ALL}


def test_the_message_ends_with_the_remedy() -> None:
    class Lost(BookwormError):
        code = "lost"
        remedy = "Look again."

    assert str(Lost("It is not here.")) == "It is not here. Look again."
    assert str(Lost("It is not here.", remedy="Ask.")) == "It is not here. Ask."
