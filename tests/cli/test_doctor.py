"""The doctor finds what is wrong."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from sqlalchemy import text

from db.database import Database
from generation.models.openai import local_servers
from generation.models.types import LlamaSetup, OpenAISetup
from service.cli.exits import Exit
from service.health import doctor, generators
from service.health.checks import Check, Health
from service.health.generators import check_llama, check_openai
from service.settings import Settings
from tests.cli.conftest import Bookworm
from tests.generation.models import tiny
from tests.generation.models.openai import fake


def test_all_is_well_over_a_library(bookworm: Bookworm) -> None:
    ran = bookworm("doctor", "--json")
    assert ran.status == Exit.OK
    assert ran.json["ready"]
    names = {(c["group"], c["name"]) for c in ran.json["checks"]}
    assert {
        ("system", "Python"),
        ("storage", "database"),
        ("resolver", "rules"),
        ("system", "FAISS"),
    } <= names


def test_the_page_names_what_to_do(bookworm: Bookworm) -> None:
    shown = bookworm("doctor").out
    assert "All required parts work." in shown
    assert "pip install 'bookworm[" in shown
    assert "scripted" not in shown, "what takes the place of a model in tests is nobody's choice"


def test_an_engine_that_is_not_there(
    bookworm: Bookworm, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BOOKWORM_EMBEDDER", str(tmp_path / "no-model"))
    ran = bookworm("doctor", "--json")
    assert ran.status == Exit.UNAVAILABLE
    found = next(c for c in ran.json["checks"] if c["name"] == str(tmp_path / "no-model"))
    assert found["health"] == "missing"
    assert found["remedy"]


def test_a_retriever_that_is_not_there(bookworm: Bookworm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOKWORM_RETRIEVER", "tellling")
    ran = bookworm("doctor", "--json")
    assert ran.status == Exit.UNAVAILABLE
    found = next(c for c in ran.json["checks"] if c["group"] == "retriever")
    assert (found["name"], found["health"]) == ("tellling", "missing")
    assert "telling" in found["remedy"]


def test_a_new_data_folder_is_no_trouble_and_stays_as_it_is(bookworm: Bookworm, tmp_path: Path) -> None:
    ran = bookworm("doctor", "--json", data_dir=tmp_path / "new")
    assert ran.status == Exit.OK
    assert not (tmp_path / "new").exists()


def test_a_database_with_other_tables(tmp_path: Path) -> None:
    (tmp_path / "bookworm.sqlite3").touch()
    check = doctor.check_database(Settings(data_dir=tmp_path))
    assert check.health is Health.MISSING
    assert "needs a migration" in check.detail
    assert check.remedy is not None
    assert check.remedy.startswith("Make a backup"), "no command changes the tables back"


def test_a_database_of_a_newer_program(tmp_path: Path, sqlite_url: str) -> None:
    database = Database(sqlite_url)
    with database.session() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '2999010101'"))
    database.dispose()
    check = doctor.check_database(Settings(data_dir=tmp_path, database_url=sqlite_url))
    assert (check.health, check.code) == (Health.MISSING, "database_newer")


def test_a_database_that_does_not_answer(tmp_path: Path) -> None:
    check = doctor.check_database(Settings(database_url="postgresql://somebody:secret@127.0.0.1:1/nothing"))
    assert check.health is Health.MISSING
    assert "secret" not in f"{check.detail} {check.remedy}"


def test_an_address_with_an_unknown_option() -> None:
    check = doctor.check_database(
        Settings(database_url="postgresql://me:secret@127.0.0.1:1/it?sslmod=require")
    )
    assert check.health is Health.MISSING
    assert "sslmod" in check.detail
    assert "secret" not in f"{check.detail} {check.remedy}"


def test_an_error_of_settings_keeps_passwords_to_itself() -> None:
    with pytest.raises(ValueError, match="database_url") as caught:
        Settings(database_url="mysql://me:secret@host/it")
    assert "secret" not in str(caught.value)


def test_a_store_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert doctor.check_store(Settings(artefacts_url=str(tmp_path / "file"))).health is Health.MISSING


@pytest.mark.parametrize(
    ("free", "health"),
    [(50 * doctor.GIB, Health.WORKS), (doctor.GIB, Health.DEGRADED), (10**6, Health.MISSING)],
)
def test_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, health: Health) -> None:
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: type("Usage", (), {"free": free}))
    assert doctor.check_disk(Settings(data_dir=tmp_path / "not" / "yet")).health is health


def test_an_extra_that_the_settings_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda _: None)
    checks = {c.name: c for c in doctor.check_extras(Settings(database_url="postgresql://x/y"))}
    assert checks["postgres"].needed
    assert not checks["s3"].needed
    assert checks["postgres"].health is Health.MISSING
    assert not doctor.Report(tuple(checks.values())).ready


def found(checks: Iterable[Check]) -> dict[str, Check]:
    return {c.name: c for c in checks if c.group == "generator"}


def test_generators_that_are_not_set_up_are_no_trouble_unless_chosen() -> None:
    checks = found(doctor.check_all_engines(Settings()))
    for name in ("llama", "openai"):
        assert (checks[name].health, checks[name].needed) == (Health.MISSING, False)
        assert "BOOKWORM_" in (checks[name].remedy or "")
        assert found(doctor.check_all_engines(Settings(generator=name)))[name].needed


def test_a_llama_without_weights(tmp_path: Path) -> None:
    check = check_llama(LlamaSetup(base=str(tmp_path)), needed=True)
    assert check.health is Health.MISSING
    assert str(tmp_path) in check.detail


def test_a_llama_that_is_there(tmp_path: Path) -> None:
    base = tiny.build(tmp_path / "base")
    adapter = tiny.adapt(base, tmp_path / "adapter")
    check = check_llama(LlamaSetup(str(base), {"analysis": adapter}, device="cpu"), needed=True)
    assert check.health is Health.WORKS, check
    assert "1,024 tokens, adapters: analysis" in check.detail
    lost = check_llama(LlamaSetup(str(base), {"analysis": tmp_path / "lost"}, device="cpu"), needed=True)
    assert lost.health is Health.MISSING


def test_a_server_that_is_down_or_answers() -> None:
    down = check_openai(OpenAISetup(url="http://127.0.0.1:9/v1", key="sk-secret"), needed=True)
    assert down.health is Health.MISSING
    assert "secret" not in f"{down.detail}{down.remedy}"
    with fake.serve() as server:
        listed = {"object": "list", "data": [{"id": "one"}, {"id": "two"}]}
        server.reply(fake.status(200, listed), path="/v1/models")
        setup = OpenAISetup(url=f"{server.url}/v1", model="two")
        up = check_openai(setup, needed=True)
        assert (up.health, "two writes; models: one, two" in up.detail) == (Health.WORKS, True)
        unchosen = check_openai(replace(setup, model=None), needed=True)
        assert (unchosen.health, "none is chosen" in unchosen.detail) == (Health.MISSING, True)
        other = check_openai(replace(setup, model="three"), needed=True)
        assert (other.health, "three" in other.detail) == (Health.DEGRADED, True)


def test_a_small_context_is_told_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    with fake.serve() as server:
        server.reply(fake.status(200, {"data": [{"id": "one"}]}), path="/v1/models")
        server.reply(fake.status(200, {"parameters": "", "model_info": {}}), path="/api/show")
        monkeypatch.setattr(local_servers, "USUAL_PORTS", {urlsplit(server.url).port: "ollama"})
        check = check_openai(OpenAISetup(url=f"{server.url}/v1"), needed=True)
        assert check.health is Health.DEGRADED
        assert "4,096 tokens" in (check.remedy or "")
        assert "`bookworm models use ollama:one --context 16384`" in (check.remedy or "")
        enough = check_openai(OpenAISetup(url=f"{server.url}/v1", context=4096), needed=True)
        assert enough.health is Health.WORKS, "it is meant so"


@pytest.mark.parametrize("reply", [fake.silent, fake.drip_headers, fake.drip_body])
def test_a_server_that_never_answers_is_left_alone(
    reply: fake.Reply, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generators, "PATIENCE", 0.5)
    with fake.serve() as server:
        server.reply(reply, path="/v1/models")
        started = time.monotonic()
        check = check_openai(OpenAISetup(url=f"{server.url}/v1"), needed=True)
        assert check.health is Health.MISSING
        assert time.monotonic() - started < 10, "the server would be silent for twenty seconds"


def test_whatever_an_engine_throws_is_a_finding() -> None:
    def burst() -> doctor.Named:
        raise RuntimeError("burst")

    check = doctor.check_engine("judge", "x", burst, needed=True)
    assert check.health is Health.MISSING
    assert "burst" in check.detail


def test_names_that_are_no_settings_are_told(
    bookworm: Bookworm, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert doctor.check_names().health is Health.WORKS
    (tmp_path / ".env").write_text("BOOKWORM_PUBLISH=8000\nBOOKWORM_RESOLVR=native\nBOOKWORM_JUDGE=offline\n")
    monkeypatch.setitem(Settings.model_config, "env_file", str(tmp_path / ".env"))
    monkeypatch.setenv("BOOKWORM_PROT", "9")
    monkeypatch.setenv("BOOKWORM_QQQ", "1")
    check = doctor.check_names()
    assert (check.health, check.detail) == (
        Health.DEGRADED,
        "BOOKWORM_PROT is not a setting. Did you mean BOOKWORM_PORT? BOOKWORM_QQQ is not a setting. "
        "BOOKWORM_RESOLVR is not a setting. Did you mean BOOKWORM_RESOLVER?",
    )
    refused = bookworm("serve", "--host", "0.0.0.0", "--port", "0", data_dir=tmp_path)
    assert "Warning: BOOKWORM_QQQ is not a setting." in refused.err


def test_wrong_settings_are_told_by_name(bookworm: Bookworm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOKWORM_PORT", "many")
    ran = bookworm("doctor")
    assert ran.status == Exit.ERROR
    assert "BOOKWORM_PORT" in ran.err


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("BOOKWORM_LLAMA_ADAPTERS", "{not json", "BOOKWORM_LLAMA_ADAPTERS: not valid JSON."),
        ("BOOKWORM_OPENAI_EXTRA", "[]", "BOOKWORM_OPENAI_EXTRA: Input should be a valid dictionary"),
        ("BOOKWORM_LLAMA_ADAPTERS", '{"gossip": "/x"}', "BOOKWORM_LLAMA_ADAPTERS (gossip)"),
        ("BOOKWORM_OPENAI_URL", "file:///etc/passwd", "BOOKWORM_OPENAI_URL"),
        ("BOOKWORM_DATABASE_URL", "not a url:secret", "BOOKWORM_DATABASE_URL: not an address"),
        ("BOOKWORM_DATABASE_URL", "postgres:/me:secret@foo", "BOOKWORM_DATABASE_URL: not an address"),
        ("BOOKWORM_DATABASE_URL", "postgresql://me:secret@host:543x/it", "BOOKWORM_DATABASE_URL: not an"),
        ("BOOKWORM_DATABASE_URL", "mysql://me:secret@host/it", "BOOKWORM_DATABASE_URL: only sqlite"),
        ("BOOKWORM_DATABASE_URL", "postgresql+asyncpg://me:secret@host/it", "BOOKWORM_DATABASE_URL: only"),
        ("BOOKWORM_DATABASE_URL", "sqlite:///:memory:", "BOOKWORM_DATABASE_URL: SQLite needs a file"),
        ("BOOKWORM_DATABASE_URL", "postgresql://me:secret@host", "BOOKWORM_DATABASE_URL: the name of the"),
        ("BOOKWORM_STRATEGY", "guess", "BOOKWORM_STRATEGY"),
        ("BOOKWORM_TEMPERATURE", "9", "BOOKWORM_TEMPERATURE"),
    ],
)
def test_settings_with_wrong_values(
    bookworm: Bookworm, monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)
    ran = bookworm("doctor", "--json")
    assert (ran.status, ran.json["code"]) == (Exit.ERROR, "settings_invalid")
    assert told in ran.json["detail"]
    assert "secret" not in ran.out + ran.err


def test_an_env_file_in_another_encoding(
    bookworm: Bookworm, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(Settings.model_config, "env_file", str(tmp_path / ".env"))
    (tmp_path / ".env").write_bytes("BOOKWORM_WORKER_ID=Café\n".encode("latin-1"))
    ran = bookworm("doctor")
    assert (ran.status, "not in UTF-8" in ran.err) == (Exit.ERROR, True)


@pytest.mark.parametrize(
    ("cards", "cuda", "health", "told"),
    [
        (None, False, Health.WORKS, "uses the CPU"),
        (0, False, Health.WORKS, "uses the CPU"),
        (2, True, Health.WORKS, "uses the GPU"),
        (None, True, Health.DEGRADED, "built without GPU support"),
    ],
)
def test_where_faiss_searches(
    cards: int | None, cuda: bool, health: Health, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = SimpleNamespace(__version__="1.2.3")
    if cards is not None:
        build.StandardGpuResources, build.get_num_gpus = object, lambda: cards
    monkeypatch.setitem(sys.modules, "faiss", build)
    monkeypatch.setattr("torch.cuda.is_available", lambda: cuda)
    check = doctor.check_faiss()
    assert (check.name, check.health) == ("FAISS", health)
    assert "1.2.3" in check.detail
    assert told in check.detail
    monkeypatch.setitem(sys.modules, "faiss", None)
    assert doctor.check_faiss().health is Health.MISSING
