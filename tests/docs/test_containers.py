"""What can be said of the container files without a container."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.settings import Settings

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))


def copied() -> list[str]:
    lines = re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.M)
    return [source for line in lines for source in line.split()[:-1]]


@pytest.mark.parametrize("source", copied())
def test_what_is_copied_exists_and_is_let_in(source: str) -> None:
    assert (ROOT / source).exists()
    assert f"!{source}" in (ROOT / ".dockerignore").read_text("utf-8").splitlines()


def test_every_package_of_the_wheel_is_copied() -> None:
    import tomllib

    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert set(wheel["packages"]) <= set(copied())


def test_the_image_does_not_run_as_root() -> None:
    final = DOCKERFILE.rsplit("FROM ", 1)[1]
    assert re.search(r"^USER bookworm$", final, re.M)
    assert "HEALTHCHECK" in final
    assert "/livez" in final


def test_no_index_is_named() -> None:
    assert not re.search(r"https?://(?!127\.0\.0\.1)", DOCKERFILE)


def test_compose_has_service_workers_and_database() -> None:
    services = COMPOSE["services"]
    assert {"service", "worker", "database"} <= set(services)
    assert services["worker"]["deploy"]["replicas"] == 2
    for name in ("service", "worker"):
        assert "artefacts:/data" in services[name]["volumes"]
        assert services[name]["depends_on"]["database"]["condition"] == "service_healthy"
    assert set(COMPOSE["volumes"]) == {"artefacts", "database"}


def test_compose_passes_the_settings_of_a_model_server_on() -> None:
    of_server = {f"BOOKWORM_{name.upper()}" for name in Settings.model_fields if name.startswith("openai_")}
    passed = COMPOSE["services"]["worker"]["environment"]
    for name in ("BOOKWORM_GENERATOR", *of_server):
        assert passed.get(name) == f"${{{name}:-}}"


def test_nothing_passed_on_is_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = COMPOSE["services"]["worker"]["environment"].items()
    names = [name for name, value in passed if value == f"${{{name}:-}}"]
    for name in names:
        monkeypatch.delenv(name, raising=False)
    usual = Settings()
    for name in names:
        monkeypatch.setenv(name, "")
    assert Settings() == usual


def test_secrets_come_from_the_environment() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    assert all(value.startswith("${") for value in re.findall(r"PASSWORD: (\S+)", text))


def test_any_password_of_the_database_will_do() -> None:
    """In a URL it would have to be percent-encoded, which compose cannot do."""
    chosen = COMPOSE["services"]["database"]["environment"]["POSTGRES_PASSWORD"]
    for name in ("service", "worker", "keys"):
        environment = COMPOSE["services"][name]["environment"]
        assert "PASSWORD" not in environment["BOOKWORM_DATABASE_URL"]
        assert environment["PGPASSWORD"] == chosen


@pytest.mark.parametrize("name", ["service", "worker", "keys"])
def test_commands_and_settings_exist(name: str) -> None:
    from typer.main import get_command

    from service.cli.app import app
    from service.settings import Settings

    service = COMPOSE["services"][name]
    command: Any = get_command(app)
    words = list(service["command"])
    while words and hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    options = {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
    assert {w for w in words if w.startswith("--")} <= options
    for setting in set(service["environment"]) - {"PGPASSWORD"}:  # libpq reads it
        assert setting.removeprefix("BOOKWORM_").lower() in Settings.model_fields
