"""Which generator writes by default: what is set, what was chosen, or what is found on this machine."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from db.store import FolderNotWritable
from generation.models.openai.local_servers import LocalModel
from service import default_generator
from service.default_generator import FILE, ChoiceReason, DefaultGenerator, GeneratorRule
from service.engines import Engines
from service.errors import GeneratorFixed
from service.settings import Settings

NEAR = LocalModel("ollama", "http://127.0.0.1:11434/v1", "qwen3:8b", 16_384)
FAR = "https://models.example/v1"


@pytest.fixture
def ruled(tmp_path: Path) -> Callable[..., GeneratorRule]:
    def make(near: LocalModel | None = None, **settings: Any) -> GeneratorRule:
        given: dict[str, Any] = {"generator": "auto", **settings}
        return GeneratorRule(Settings(data_dir=tmp_path, **given), find=lambda **_: near)

    return make


def told(rule: GeneratorRule) -> tuple[str, ChoiceReason, str | None]:
    current = rule.current()
    return current.name, current.reason, current.model


def test_what_is_set_counts_first(ruled: Callable[..., GeneratorRule]) -> None:
    assert told(ruled(NEAR, generator="offline")) == ("offline", ChoiceReason.SETTINGS, None)
    for generator in ("auto", "openai"):
        rule = ruled(NEAR, generator=generator, openai_url=FAR, openai_model="big")
        assert told(rule) == ("openai", ChoiceReason.SETTINGS, "big")
        assert rule.current().uses(LocalModel("configured", FAR, "big", None))
    assert told(ruled(NEAR, llama_base="folder")) == ("llama", ChoiceReason.SETTINGS, None)


def test_then_what_is_here_and_else_nothing(ruled: Callable[..., GeneratorRule]) -> None:
    assert told(ruled(NEAR)) == ("openai", ChoiceReason.FOUND, "qwen3:8b")
    assert told(ruled(None)) == ("offline", ChoiceReason.NOTHING, None)
    found = ruled(NEAR).writers().openai
    assert (found.url, found.model) == (NEAR.url, NEAR.model)


def test_a_choice_that_cannot_be_kept_is_refused(
    ruled: Callable[..., GeneratorRule], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    rule = ruled(None)
    for name in ("write_text", "unlink"):
        monkeypatch.setattr(Path, name, refuse)
    for choice in ("offline", None):
        with pytest.raises(FolderNotWritable, match="The data folder cannot be written to"):
            rule.choose(choice)


def test_a_choice_is_kept_for_all_processes_until_it_is_withdrawn(
    ruled: Callable[..., GeneratorRule], tmp_path: Path
) -> None:
    one, other = ruled(NEAR, openai_url=FAR, openai_model="big"), ruled(NEAR, openai_url=FAR)
    one.choose("offline")
    assert told(one) == told(other) == ("offline", ChoiceReason.CHOSEN, None)
    one.choose("openai", url=NEAR.url, model="llama3.1")
    assert told(other) == ("openai", ChoiceReason.CHOSEN, "llama3.1")
    (tmp_path / FILE).write_text("{")
    assert told(one) == ("openai", ChoiceReason.SETTINGS, "big"), "a broken file is no choice"
    one.choose(None)
    one.choose(None)
    assert not (tmp_path / FILE).exists()


def test_a_key_is_sent_to_its_own_server_alone(ruled: Callable[..., GeneratorRule]) -> None:
    rule = ruled(None, openai_url=FAR, openai_key="secret", openai_model="big", openai_context=9000)
    rule.choose("openai", url=NEAR.url, model=NEAR.model)
    away = rule.writers().openai
    assert (away.url, away.key, away.context) == (NEAR.url, None, None)
    rule.choose("openai", url=FAR, model="small")
    home = rule.writers().openai
    assert (home.url, home.model, home.key, home.context) == (FAR, "small", "secret", 9000)


def test_a_setting_cannot_be_overruled(ruled: Callable[..., GeneratorRule], tmp_path: Path) -> None:
    with pytest.raises(GeneratorFixed, match="`BOOKWORM_GENERATOR` is `offline`"):
        ruled(generator="offline").choose("llama")
    assert not (tmp_path / FILE).exists()


def test_a_server_that_comes_later_is_noticed_without_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[LocalModel | None] = [None, NEAR]
    may_look, looked = threading.Event(), threading.Event()

    def find(**_: object) -> LocalModel | None:
        if len(answers) == 1:
            assert may_look.wait(10)
            looked.set()
        return answers.pop(0)

    rule = GeneratorRule(Settings(data_dir=tmp_path, generator="auto"), find=find)
    assert rule.current().name == "offline"
    monkeypatch.setattr(default_generator, "_FRESH_SECONDS", 0.0)
    assert rule.current().name == "offline", "the search is not waited for"
    monkeypatch.setattr(default_generator, "_FRESH_SECONDS", 60.0)
    may_look.set()
    assert looked.wait(10)
    for _ in range(100):
        if rule.current().name == "openai":
            break
        threading.Event().wait(0.02)
    assert rule.current() == DefaultGenerator("openai", ChoiceReason.FOUND, NEAR.url, NEAR.model)


def test_engines_follow_the_choice(tmp_path: Path) -> None:
    engines = Engines(
        Settings(data_dir=tmp_path, generator="auto", llama_base=None, openai_url=FAR, openai_model="a")
    )
    first = engines.generator().name
    engines.rule.choose("openai", url=FAR, model="b")
    second = engines.generator().name
    assert ("a" in first, "b" in second) == (True, True)
    assert first != second
    engines.rule.choose("offline")
    assert engines.generator().name.startswith("offline/")
    engines.rule.choose(None)
    assert engines.generator().name == first
