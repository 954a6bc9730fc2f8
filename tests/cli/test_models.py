"""Language models on this machine are listed, and one is chosen in a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand

from generation.models import what_fits
from generation.models.openai import local_servers
from generation.models.types import OpenAISetup
from service.cli.demo import _model_nearby
from service.cli.exits import Exit
from service.cli.models import write_settings, write_with
from service.cli.session import Session
from service.default_generator import FILE
from service.health.generators import check_openai
from tests.cli.conftest import Bookworm
from tests.generation.models.openai.fake import Fake, serve, status
from tests.generation.models.openai.test_local_servers import MODELS, port_of


@pytest.mark.usefixtures("ollama")
def test_they_are_listed(bookworm: Bookworm) -> None:
    assert "ollama:qwen3:8b" in bookworm("models").out
    assert [each["name"] for each in bookworm("models", "--json").json["items"]] == [
        "ollama:qwen3:8b",
        "ollama:llama3.1:latest",
    ]


def test_those_of_the_server_in_the_settings_are_listed_and_chosen(
    bookworm: Bookworm, monkeypatch: pytest.MonkeyPatch, own: Path
) -> None:
    monkeypatch.setattr(local_servers.find_models, "__defaults__", ({},))
    monkeypatch.setenv("BOOKWORM_GENERATOR", "auto")
    with serve() as fake:
        fake.reply(status(200, MODELS), path="/v1/models")
        url = f"http://127.0.0.1:{port_of(fake)}/v1"
        monkeypatch.setenv("BOOKWORM_OPENAI_URL", url)
        assert "configured:qwen3:8b" in bookworm("models").out
        assert bookworm("models", "use", "configured:qwen3:8b", data_dir=own).status == Exit.OK
    assert choice(own) == ("openai", url, "qwen3:8b")


def choice(folder: Path) -> tuple[str, str, str] | None:
    """What is kept, which the pages can change."""
    if not (folder / FILE).exists():
        return None
    kept = json.loads((folder / FILE).read_text())
    return kept["name"], kept["url"], kept["model"]


def test_one_is_chosen(bookworm: Bookworm, ollama: Fake, own: Path) -> None:
    ran = bookworm("models", "use", "llama3.1", data_dir=own)
    assert ran.status == Exit.OK
    assert choice(own) == ("openai", f"http://127.0.0.1:{port_of(ollama)}/v1", "llama3.1:latest")
    listed = bookworm("models", data_dir=own).out.splitlines()
    assert [row.split()[0] for row in listed[1:]] == ["ollama:qwen3:8b", "✓"]


def test_none_is_chosen_where_a_setting_decides(
    bookworm: Bookworm, ollama: Fake, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKWORM_GENERATOR", "offline")
    ran = bookworm("models", "use", "qwen3:8b", "--context", "16384", data_dir=own)
    assert ran.status != Exit.OK
    assert "`BOOKWORM_GENERATOR` is `offline`. Remove the setting" in " ".join(ran.err.split())
    assert (choice(own), ollama.asked("/api/create")) == (None, [])


def test_a_small_context_of_the_one_that_writes_is_told(
    bookworm: Bookworm, ollama: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKWORM_GENERATOR", "auto")
    for tokens, told in ((4096, True), (8192, False)):
        loaded = [{"name": name, "context_length": tokens} for name in ("qwen3:8b", "llama3.1:latest")]
        ollama.reply(status(200, {"models": loaded}), path="/api/ps")
        said = " ".join(bookworm("models").err.split())
        assert ("Run `bookworm models use ollama:qwen3:8b --context 16384`" in said) is told
        assert "ollama:llama3.1 --context" not in said
        listed = bookworm("models", "--json").json["items"]
        assert ["4,096 tokens" in (each["remedy"] or "") for each in listed] == [told, told]


@pytest.mark.usefixtures("ollama")
def test_an_unknown_one_is_refused(bookworm: Bookworm, own: Path) -> None:
    ran = bookworm("models", "use", "gpt-9", data_dir=own)
    assert ran.status != Exit.OK
    assert choice(own) is None


@pytest.mark.parametrize(
    ("device", "gigabytes", "said"),
    [
        ("cuda", 24, "24 GB are free on cuda: models of up to about 30 billion weights in 4 bits fit."),
        ("cpu", 8, "no GPU was found and writing is slow: models of up to about 10 billion weights"),
        ("cpu", 0.5, "There is too little memory"),
    ],
)
@pytest.mark.usefixtures("ollama")
def test_what_fits_is_said(
    bookworm: Bookworm, monkeypatch: pytest.MonkeyPatch, device: str, gigabytes: float, said: str
) -> None:
    monkeypatch.setattr(what_fits, "room_here", lambda: what_fits.Room(device, int(gigabytes * 10**9)))
    assert said in " ".join(bookworm("models").err.split())
    assert bookworm("models", "--json").json["room"]["billions"] == int(0.75 * gigabytes / 0.6)


def test_none_is_said_to_be_there(bookworm: Bookworm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_servers.find_models, "__defaults__", ({},))
    assert "No server of language models answers" in bookworm("models").err
    assert _model_nearby() is None
    assert check_openai(OpenAISetup(), needed=False).detail == "not configured"


@pytest.mark.usefixtures("ollama")
def test_doctor_and_demo_say_what_is_there() -> None:
    found = check_openai(OpenAISetup(), needed=False)
    assert "ollama:qwen3:8b, and 1 more" in found.detail
    assert "bookworm models use ollama:qwen3:8b" in (found.remedy or "")
    assert _model_nearby() == "ollama:qwen3:8b"


def test_a_file_keeps_who_may_read_it(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("SECRET=1")
    file.chmod(0o600)
    write_settings(file, {"A": "2"})
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("SECRET=1\nA=2\n", 0o600)


def test_a_model_of_ollama_gets_a_context(bookworm: Bookworm, ollama: Fake, own: Path) -> None:
    ollama.reply(status(200, {"status": "success"}), path="/api/create")
    ran = bookworm("models", "use", "qwen3:8b", "--context", "16384", data_dir=own)
    assert ran.status == Exit.OK
    [asked] = ollama.asked("/api/create")
    assert asked.body == {
        "model": "qwen3:8b-16384",
        "from": "qwen3:8b",
        "parameters": {"num_ctx": 16384},
        "stream": False,
    }
    assert choice(own) == ("openai", f"http://127.0.0.1:{port_of(ollama)}/v1", "qwen3:8b-16384")


def test_another_server_is_not_asked_for_a_context(
    bookworm: Bookworm, ollama: Fake, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_servers.find_models, "__defaults__", ({port_of(ollama): "vllm"},))
    ran = bookworm("models", "use", "qwen3:8b", "--context", "16384", data_dir=own)
    assert ran.status == Exit.ERROR
    assert "Only Ollama can be asked for a context" in " ".join(ran.err.split())
    assert (choice(own), ollama.asked("/api/create")) == (None, [])


def test_a_context_that_is_not_made_is_told(bookworm: Bookworm, ollama: Fake, own: Path) -> None:
    ollama.reply(status(400, {"error": "no"}), path="/api/create")
    ran = bookworm("models", "use", "qwen3:8b", "--context", "16384", data_dir=own)
    assert ran.status != Exit.OK
    assert "Ollama did not make qwen3:8b-16384" in ran.err
    assert choice(own) is None


@pytest.mark.usefixtures("ollama")
def test_a_key_is_asked_for_and_kept_from_others(
    bookworm: Bookworm, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bookworm("models", "use", "llama3.1", data_dir=own).status == Exit.OK
    (tmp_path / ".env").write_text("BOOKWORM_PORT=9000\n")
    monkeypatch.setattr(typer, "prompt", lambda *_, **how: "sk-secret\n" if how["hide_input"] else "")
    ran = bookworm("models", "key", "--url", "https://api.openai.com/v1", "--model", "gpt", data_dir=own)
    assert ran.status == Exit.OK
    assert choice(own) is None, "or the server with the key would not be used"
    assert "sk-secret" not in ran.out + ran.err
    file = tmp_path / ".env"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text().splitlines() == [
        "BOOKWORM_PORT=9000",
        "BOOKWORM_OPENAI_KEY=sk-secret",
        "BOOKWORM_OPENAI_URL=https://api.openai.com/v1",
        "BOOKWORM_OPENAI_MODEL=gpt",
    ]


def test_a_key_of_another_server_leaves_no_settings_of_the_former(
    bookworm: Bookworm, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(typer, "prompt", lambda *_, **__: "new")
    monkeypatch.setenv("BOOKWORM_OPENAI_URL", "https://far.example/v1")
    monkeypatch.setenv("BOOKWORM_GENERATOR", "auto")
    file = tmp_path / ".env"
    former = ['BOOKWORM_OPENAI_MODELS={"analysis": "essays"}', "BOOKWORM_OPENAI_CONTEXT=9000"]
    server = ["BOOKWORM_OPENAI_URL=https://far.example/v1", "BOOKWORM_OPENAI_MODEL=big"]
    key = "BOOKWORM_OPENAI_KEY=new"
    for given, kept in (
        ((), [*former, *server, key]),
        (
            ("--url", "https://far.example/v1", "--model", "new"),
            [*former[1:], server[0], key, f"{server[1][:-3]}new"],
        ),
        (("--url", "https://near.example/v1"), [key, "BOOKWORM_OPENAI_URL=https://near.example/v1"]),
    ):
        file.write_text("\n".join([*former, *server]))
        assert bookworm("models", "key", *given, data_dir=own).status == Exit.OK
        assert file.read_text().splitlines() == kept


def test_a_command_can_name_its_model(
    bookworm: Bookworm, ollama: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key goes to its own server alone, and no setting for other models counts."""
    assert bookworm("describe", "nobody.txt", "Bess", "--model", "gpt-9").status != Exit.OK
    with serve() as far:
        far.reply(status(200, {"data": [{"id": "big"}]}), path="/v1/models")
        monkeypatch.setenv("BOOKWORM_OPENAI_URL", f"{far.url}/v1")
        monkeypatch.setenv("BOOKWORM_OPENAI_KEY", "secret")
        monkeypatch.setenv("BOOKWORM_OPENAI_CONTEXT", "9000")
        monkeypatch.setenv("BOOKWORM_OPENAI_MODELS", '{"analysis": "essays"}')
        for name, url, model, key, tokens in (
            ("qwen3:8b", f"http://127.0.0.1:{port_of(ollama)}/v1", "qwen3:8b", None, None),
            ("configured:big", f"{far.url}/v1", "big", "secret", 9000),
        ):
            context = typer.Context(TyperCommand("describe"))
            write_with(context, name)
            settings = Session.of(context).settings
            openai = settings.writers.openai
            assert (settings.generator, openai.url, openai.model) == ("openai", url, model)
            assert (openai.key, openai.context, openai.models) == (key, tokens, {"analysis": model})
