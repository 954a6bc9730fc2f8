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
from service.jobs.stages import PLAN, PlanBroken, Stage, Upload, check, keys, version

ENGINES = {"reader": "books", "resolver": "rules/1", "embedder": "hashing"}
UPLOAD = Upload("0" * 64, "emma.txt")


def stage(name: str, needs: set[str], gives: set[str]) -> Stage:
    return Stage(name, 1, frozenset(needs), frozenset(gives))


def test_the_plan_holds() -> None:
    check(PLAN)
    assert [s.name for s in PLAN] == ["read", "resolve", "index", "publish"]


@pytest.mark.parametrize(
    ("plan", "complaint"),
    [
        ([stage("a", {"upload"}, {"x"}), stage("a", {"x"}, {"y"})], "two stages are named a"),
        ([stage("a", {"x"}, {"y"}), stage("b", {"upload"}, {"x"})], "a needs x"),
        ([stage("a", {"upload"}, {"x"}), stage("b", {"x"}, {"x"})], "b provides x"),
        ([stage("a", set(), {"upload"})], "a provides upload"),
    ],
)
def test_a_broken_plan_is_found(plan: list[Stage], complaint: str) -> None:
    with pytest.raises(PlanBroken, match=complaint):
        check(plan)


def test_jobs_do_not_start_on_a_broken_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    from service.jobs import engine

    monkeypatch.setattr(engine, "PLAN", PLAN[1:])
    with pytest.raises(PlanBroken):
        engine.Jobs(None, database=None, store=None)  # type: ignore[arg-type]


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
