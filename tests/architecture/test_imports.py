"""Who may import whom: the table of the design, read from the syntax trees."""

from __future__ import annotations

import re

import pytest

from tests.architecture.source import COMMANDS, ROOMS, modules

MAY_IMPORT: dict[str, set[str]] = {
    "books": set(),
    "coref": {"books"},
    "retrieval": {"books", "coref"},
    "generation": {"books", "coref", "retrieval"},
    "evaluation": {"books", "coref", "retrieval", "generation", "db"},
    "db": {"books", "coref", "retrieval", "generation"},
    "migrations": {"db"},
    "service": {"books", "coref", "retrieval", "generation", "evaluation", "db", "migrations"},
}
OUTSIDE = {"service", "tests", "benchmarks", "evaluation"}
VALUES_ONLY = re.compile(r"^(\w+\.(types|errors|edits)|coref\.decisions\.types|retrieval\.manifest)$")
"""What db may see of the other rooms: their values, and how a manifest is written."""

ONLY_IN: dict[str, tuple[str, ...]] = {
    "dbos": ("service/jobs/durable.py",),
    "fastapi": ("service/http/", "service/pages/", "service/app.py"),
    "starlette": ("service/http/", "service/pages/", "service/app.py"),
    "sse_starlette": ("service/http/",),
    "prometheus_client": ("service/observability/",),
    "opentelemetry": ("service/observability/",),
    "structlog": ("service/observability/",),
    "typer": ("service/cli/", *COMMANDS),
    "click": ("service/cli/", *COMMANDS),
    "rich": ("service/cli/", *COMMANDS),
    "pydantic_settings": ("service/settings.py",),
    "alembic": ("db/", "migrations/"),
    "sqlalchemy": ("db/", "migrations/", "service/jobs/"),
    "openvino": ("coref/native/silent_openvino.py",),
    "faiss": ("retrieval/", "service/health/doctor.py"),
    "bm25s": ("retrieval/",),
    "openai": ("generation/models/openai/",),
    "httpx2": ("generation/models/openai/", "evaluation/judging/small_answers.py"),
    "fsspec": ("db/store/",),
}
"""Seams: a part of the outside world that one place knows, so that it can be exchanged there."""

FORBIDDEN = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "requests", "urllib3"}


def test_every_room_has_a_rule() -> None:
    assert set(MAY_IMPORT) == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_direction(room: str) -> None:
    allowed = MAY_IMPORT[room] | {room}
    houses = set(ROOMS) | OUTSIDE
    wrong = [
        f"{module.name} imports {name}"
        for module in modules(room)
        for name in module.imports
        if name.split(".")[0] in houses - allowed and not module.name.startswith(COMMANDS)
    ]
    assert not wrong


def test_commands_belong_to_the_command_line() -> None:
    folders = tuple(folder.rstrip("/").replace("/", ".") for folder in COMMANDS)
    into = [
        f"{module.name} imports {name}"
        for module in modules()
        for name in module.imports
        if name.startswith(folders) and not module.name.startswith((*COMMANDS, "service/cli/"))
    ]
    assert not into, "only the command line imports its commands"
    out = [
        f"{module.name} imports {name}"
        for module in modules()
        if module.name.startswith(COMMANDS)
        for name in module.imports
        if name.split(".")[0] in ("service", "tests", "benchmarks") and not name.startswith("service.cli")
    ]
    assert not out, "of the service a command sees the command line alone"


def test_db_sees_values_only() -> None:
    wrong = [
        f"{module.name} imports {name}"
        for module in modules("db")
        for name in module.imports
        if name.split(".")[0] in MAY_IMPORT["db"] and not VALUES_ONLY.match(name)
    ]
    assert not wrong


@pytest.mark.parametrize("package", ONLY_IN)
def test_seams(package: str) -> None:
    wrong = [
        module.name
        for module in modules()
        if any(name.split(".")[0] == package for name in module.imports)
        and not module.name.startswith(ONLY_IN[package])
    ]
    assert not wrong, f"only {', '.join(ONLY_IN[package])} may import {package}"


def test_nothing_that_runs_what_it_loads() -> None:
    wrong = [
        f"{module.name} imports {name}"
        for module in modules()
        for name in module.imports
        if name.split(".")[0] in FORBIDDEN
    ]
    assert not wrong


def test_settings_are_read_where_the_house_is_assembled() -> None:
    """Every other room receives values: none sees the settings (the direction rule) or the environment."""
    wrong = [
        f"{module.name}:{node.lineno}"
        for module in modules()
        if module.room != "service"
        for node in module.environment_reads()
    ]
    assert not wrong
