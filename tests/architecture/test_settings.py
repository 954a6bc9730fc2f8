"""Every setting is described and does something."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache

import pytest
from pydantic import ValidationError

from service.settings import Settings
from tests.architecture.source import ROOT, modules
from tests.conftest import data_home

FIELDS = list(Settings.model_fields)


@cache
def attributes(*names: str) -> set[str]:
    """Attribute names that the given modules of `service` read."""
    return {
        node.attr
        for module in modules("service")
        if (module.name in names if names else module.name != "service/settings.py")
        for node in module.nodes
        if isinstance(node, ast.Attribute)
    }


def test_each_is_described_in_one_or_two_sentences() -> None:
    assert [
        f for f, info in Settings.model_fields.items() if not (info.description or "").endswith(".")
    ] == []


def test_each_is_used() -> None:
    """Somewhere in `service`, or by a property of the settings that is."""
    properties = {name: value for name, value in vars(Settings).items() if isinstance(value, property)}
    through = {name for name in properties if name in attributes()}
    in_settings = attributes("service/settings.py") if through else set()
    assert set(FIELDS) - attributes() - in_settings == set()


def test_they_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().port = 1


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOKWORM_PORT", "8123")
    assert Settings().port == 8123


def test_the_tests_have_no_library_of_a_developer() -> None:
    """A precision that was once measured there would decide how long they take, and a job would be done."""
    assert Settings().data_dir.is_relative_to(data_home.name)
    assert Settings(encoder_bits="auto").bits_rule.file.is_relative_to(data_home.name)
    in_process = "from service.settings import Settings; print(Settings().data_dir)"
    told = subprocess.run([sys.executable, "-c", in_process], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == str(Settings().data_dir)


def test_an_empty_variable_is_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `compose.yaml` passes those that are not set."""
    monkeypatch.setenv("BOOKWORM_OPENAI_URL", "")
    assert Settings().openai_url is None


@pytest.mark.parametrize("given", [{"heartbeat_seconds": 20}, {"takeover_seconds": 9}])
def test_a_worker_may_miss_a_heartbeat(given: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="at least twice BOOKWORM_HEARTBEAT_SECONDS"):
        Settings.model_validate(given)


def test_the_example_names_settings_that_there_are() -> None:
    lines = (ROOT / ".env.example").read_text("utf-8").splitlines()
    names = [line.removeprefix("#").partition("=")[0] for line in lines if line.startswith("#BOOKWORM_")]
    assert names
    assert {name.removeprefix("BOOKWORM_").lower() for name in names} <= set(Settings.model_fields)
