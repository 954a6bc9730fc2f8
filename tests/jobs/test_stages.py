"""The plan, and the keys under which its artefacts are kept."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from books.edits import ChapterEdit, ChapterMark
from coref.languages import OWN_RESOLVER
from coref.registry import RESOLVERS, make_resolver
from coref.resolver_names import NAMES
from service.jobs import stages
from service.jobs.stages import PLAN, Upload, keys, version

ENGINES = {"reader": "books", "resolver": "rules/1", "embedder": "hashing"}
UPLOAD = Upload("0" * 64, "emma.txt")


def test_every_stage_needs_what_earlier_ones_give_and_nothing_is_given_twice() -> None:
    assert [s.name for s in PLAN] == ["read", "resolve", "index", "publish"]
    given = {stages.UPLOAD}
    for stage in PLAN:
        assert stage.needs <= given
        assert not stage.gives & given
        given |= stage.gives


def test_same_bytes_stages_and_engines_make_the_same_version() -> None:
    assert keys(UPLOAD, ENGINES) == keys(Upload("0" * 64, "emma.txt"), ENGINES)


def test_another_version_of_any_resolver_that_may_annotate_it_makes_a_book_anew() -> None:
    named = stages.engine_names(resolver="rules/1", embedder="hashing")["resolver"].split()
    assert named == ["rules/1", *(make_resolver(name).name for name in OWN_RESOLVER.values())]


def test_names_are_known_without_the_engines() -> None:
    assert {name: make_resolver(name).name for name in RESOLVERS if name != "booknlp"} == NAMES


EDIT = ChapterEdit((ChapterMark(0, "One", "It was"), ChapterMark(9, "Two", "Then")), "1" * 64)


@pytest.mark.parametrize(
    "how", [{"title": "Emma"}, {"author": "Jane"}, {"encoding": "big5"}, {"force": True}, {"edit": EDIT}]
)
def test_to_be_read_otherwise_makes_everything_anew(how: dict[str, Any]) -> None:
    one, other = keys(UPLOAD, ENGINES), keys(replace(UPLOAD, **how), ENGINES)
    assert not set(one.values()) & set(other.values())


def test_other_chapters_make_everything_anew() -> None:
    other = ChapterEdit((EDIT.marks[0], replace(EDIT.marks[1], title="Three")), EDIT.text_sha256)
    assert keys(replace(UPLOAD, edit=EDIT), ENGINES) != keys(replace(UPLOAD, edit=other), ENGINES)


@pytest.mark.parametrize("edit", [None, EDIT])
def test_an_upload_survives_its_travel(edit: ChapterEdit | None) -> None:
    upload = replace(UPLOAD, title="二", encoding="utf-8", force=True, edit=edit)
    assert Upload.from_plain(json.loads(json.dumps(upload.plain()))) == upload


def test_other_bytes_make_everything_anew() -> None:
    one, other = keys(UPLOAD, ENGINES), keys(replace(UPLOAD, sha256="1" * 64), ENGINES)
    assert not set(one.values()) & set(other.values())


def test_another_engine_makes_only_what_rests_on_it_anew() -> None:
    one, other = keys(UPLOAD, ENGINES), keys(UPLOAD, ENGINES | {"resolver": "native/1"})
    assert {name for name in one if one[name] != other[name]} == {"resolve"}
    assert version(one) != version(other)


def test_another_version_of_a_stage_makes_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = keys(UPLOAD, ENGINES)
    raised = tuple(replace(s, version=s.version + (s.name == "index")) for s in stages.WRITING)
    monkeypatch.setattr(stages, "WRITING", raised)
    after = keys(UPLOAD, ENGINES)
    assert {name for name in before if before[name] != after[name]} == {"index"}
