"""A connection can be cut over TLS too, and only a server with a valid certificate gets the key."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from generation.errors import GeneratorUnavailable, ModelServerFailed, WritingCancelled
from generation.models.openai import connection
from generation.models.openai.model import OpenAIModel
from generation.models.types import OpenAISetup
from tests.failing import fails
from tests.generation.models.openai.conftest import KEY, Ear, ask
from tests.generation.models.openai.fake import ANSWER, Fake, Reply, drip_body, drip_headers, serve, silent

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl to make a certificate")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    made, key = folder / "certificate.pem", folder / "key.pem"
    asked = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=tests -addext subjectAltName=IP:127.0.0.1"
    command = ["openssl", *asked.split(), "-out", str(made), "-keyout", str(key)]
    subprocess.run(command, check=True, capture_output=True)
    return made, key


@pytest.fixture
def fake(certificate: tuple[Path, Path]) -> Iterator[Fake]:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*certificate)
    with serve(tls=tls) as server:
        yield server


@pytest.fixture
def trusted(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    connection.trust.cache_clear()
    yield
    connection.trust.cache_clear()


def model(fake: Fake, *, timeout: float = 5.0) -> OpenAIModel:
    return OpenAIModel(OpenAISetup(url=fake.url, model="m", key=KEY, timeout=timeout), first_wait=0.01)


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("listener", [None, Ear()])
def test_it_answers(fake: Fake, listener: Ear | None) -> None:
    assert model(fake).complete([ask()], listener=listener)[0].text.strip() == ANSWER


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("reply", [drip_headers, drip_body])
def test_a_server_that_never_ends(fake: Fake, reply: Reply) -> None:
    fake.reply(reply)
    begun = time.monotonic()
    with fails(ModelServerFailed, match="did not finish"):
        model(fake, timeout=0.2).complete([ask()])
    assert time.monotonic() - begun < 15


@pytest.mark.usefixtures("trusted")
def test_whoever_leaves_is_not_kept(fake: Fake) -> None:
    fake.reply(silent)
    ear = Ear()
    ear.gone = lambda: len(fake.asked()) > 0  # type: ignore[method-assign]
    with pytest.raises(WritingCancelled):
        model(fake, timeout=30.0).complete([ask()], listener=ear)
    assert fake.hung_up.wait(15)


def test_a_stranger_gets_nothing(fake: Fake) -> None:
    with fails(GeneratorUnavailable, match="SSL_CERT_FILE"):
        model(fake).complete([ask()])
    assert not fake.seen
