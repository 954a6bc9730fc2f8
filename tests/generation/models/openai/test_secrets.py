"""The key goes to the server and nowhere else, and nothing goes to the server that was not meant for it."""

from __future__ import annotations

import logging
import traceback
from base64 import b64encode

import pytest

from books.errors import BookwormError
from generation.errors import GeneratorUnavailable
from generation.models.openai.address import for_readers, read_address
from generation.models.openai.model import OpenAIModel
from generation.models.types import OpenAISetup
from tests.failing import fails, in_full
from tests.generation.models.openai.conftest import KEY, Ear, Make, ask
from tests.generation.models.openai.fake import Fake, Reply, error, events, raw, says, status

ECHOES: list[Reply] = [
    error(401, f"Incorrect API key provided: {KEY}"),
    error(403, f"Bearer {KEY} may not"),
    error(404, f"no {KEY}"),
    error(400, f"what is {KEY}"),
    error(429, f"{KEY} is too quick", Retry_After="999"),
    error(500, f"{KEY} crashed"),
    status(418, {"detail": [{"input": {"headers": {"authorization": KEY}}}]}),
    status(302, {}, Location=f"http://{KEY}@elsewhere.example/{KEY}"),
    raw(f"<html>{KEY}</html>".encode(), "text/html"),
    events(f'{{"error": {{"message": "{KEY}"}}}}'),
    error(400, f"context length 10 exceeded by {KEY}"),
]


@pytest.mark.parametrize("listener", [None, Ear()])
@pytest.mark.parametrize("reply", ECHOES)
def test_a_server_that_repeats_the_key(
    fake: Fake, make: Make, reply: Reply, listener: Ear | None, caplog: pytest.LogCaptureFixture
) -> None:
    fake.reply(reply)
    # Not lower: at DEBUG the HTTP library logs the headers of a server's response.
    with caplog.at_level(logging.INFO), pytest.raises(BookwormError) as caught:
        make(attempts=1).complete([ask()], listener=listener)
    told = "".join(traceback.format_exception(caught.value))
    assert fake.asked()[0].headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in told + in_full(caught.value) + repr(caught.value) + caplog.text
    assert caught.value.__cause__ is caught.value.__context__ is None


def test_it_is_in_no_name_and_no_log_of_what_goes_well(
    fake: Fake, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        model = make()
        model.complete([ask()])
        _ = model.context
        model.count_tokens("Bess")
    assert len(fake.seen) > 3
    assert KEY not in caplog.text + model.name + repr(model) + repr(vars(model))
    assert KEY not in repr(OpenAISetup(url=fake.url, key=KEY))


def test_an_address_with_a_password(fake: Fake) -> None:
    url = fake.url.replace("://", "://bess:tide%20table@") + "/v1/?tenant=harbour"
    model = OpenAIModel(OpenAISetup(url=url, model="m"))
    model.complete([ask()])
    _ = model.context
    pair = b64encode(b"bess:tide table").decode()
    assert {s.headers["Authorization"] for s in fake.seen} == {f"Basic {pair}"}
    assert {s.path.split("?")[1] for s in fake.seen} == {"tenant=harbour"}
    assert model.name == f"openai/1:m@{fake.url}/v1"


def test_without_a_key_none_is_sent_nor_taken_from_the_environment(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ADMIN_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "my-org")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Other: {KEY}\nAuthorization: Bearer {KEY}")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    OpenAIModel(OpenAISetup(url=fake.url, model="m")).complete([ask()])
    (seen,) = fake.asked()
    assert {name.lower() for name in seen.headers} == {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
    }


@pytest.mark.parametrize("key", [f"{KEY}\nX-Evil: 1", f"{KEY}é"])
def test_a_key_that_is_none_is_not_shown(fake: Fake, key: str) -> None:
    with pytest.raises(GeneratorUnavailable) as caught:
        OpenAIModel(OpenAISetup(url=fake.url, model="m", key=key))
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_blanks_around_a_key_are_a_slip(fake: Fake) -> None:
    fake.reply(says())
    OpenAIModel(OpenAISetup(url=fake.url, model="m", key=f" {KEY}\n")).complete([ask()])
    assert fake.asked()[0].headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("url", "base", "root"),
    [
        ("http://localhost:11434", "http://localhost:11434/v1", "http://localhost:11434"),
        (
            "https://API.example.com/openai/v1/",
            "https://api.example.com/openai/v1",
            "https://api.example.com/openai",
        ),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1", "http://[::1]:8000"),
        (" https://u:p@h/api/v3?x=y#z ", "https://h/api/v3", "https://h/api/v3"),
    ],
)
def test_addresses(url: str, base: str, root: str) -> None:
    address = read_address(url, key="k")
    assert (address.base, address.root) == (base, root)
    assert address.local == ("localhost" in url or "::1" in url)


@pytest.mark.parametrize(
    "url", [None, "", " ", "localhost:8000", "ftp://h/v1", "http://", "http://h:99999999/v1"]
)
def test_no_address(url: str | None) -> None:
    with fails(GeneratorUnavailable, match="BOOKWORM_OPENAI_URL"):
        read_address(url, key=None)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("openai/1:m@http://127.0.0.1:9/v1", "openai/1:m"),
        ("openai/1:/srv/my models/m.gguf@https://[::1]:9/a+b/v1", "openai/1:m.gguf"),
        ("openai/1:analysis=/srv/a:8b,default=C:\\srv\\b@http://h/v1", "openai/1:analysis=a:8b,default=b"),
        ("llm/3+openai/1:x/m@v2@http://h/a+b/v1+judging/1/0f", "llm/3+openai/1:x/m@v2+judging/1/0f"),
        ("openai/1:/srv/models/qwen/@http://h/v1", "openai/1:qwen"),
        ("openai/1:/srv/a,b/run=7/m.gguf@http://h/v1", "openai/1:m.gguf"),
        ("openai/1:analysis=~/a,default=owner/b@http://h/v1", "openai/1:analysis=a,default=owner/b"),
        ("openai/1:m@http://h/v1+facts/1/0f", "openai/1:m+facts/1/0f"),
        ("openai/1:m@http://h/v1 gave no verdict: a/b.", "openai/1:m gave no verdict: a/b."),
        ("llama/1:0f+default=0e@4bits", "llama/1:0f+default=0e@4bits"),
        ("The model server at http://h/v1 is busy.", "The model server at http://h/v1 is busy."),
    ],
)
def test_what_readers_are_shown_of_a_name(name: str, shown: str) -> None:
    assert for_readers(name) == shown
