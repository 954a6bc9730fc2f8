"""What is retried, how often and how soon, and what a failure tells the user."""

from __future__ import annotations

import socket
import time
from email.utils import formatdate

import httpx2
import pytest
from openai import APITimeoutError

from books.errors import BookwormError
from generation.errors import GeneratorUnavailable, ModelServerFailed
from generation.models.openai.address import read_address
from generation.models.openai.model import OpenAIModel
from generation.models.openai.response_reading import LONG_TOKEN
from generation.models.openai.server_faults import fault_of, retry_after
from generation.models.types import Finish, OpenAISetup
from tests.failing import fails, in_full
from tests.generation.models.openai.conftest import Ear, Make, ask
from tests.generation.models.openai.fake import (
    ANSWER,
    Fake,
    Handler,
    Reply,
    Seen,
    chunk,
    cut_short,
    drip_body,
    drip_events,
    drip_headers,
    error,
    events,
    hang_up,
    raw,
    says,
    silent,
    status,
)

PASSING = [408, 409, 429, 500, 502, 503, 504]
LASTING = [400, 401, 403, 404, 405, 422, 501]


@pytest.mark.parametrize("listener", [None, Ear()])
@pytest.mark.parametrize("code", PASSING)
def test_what_passes_is_tried_again(fake: Fake, make: Make, code: int, listener: Ear | None) -> None:
    fake.reply(error(code, "in a moment"), error(code, "in a moment"), says())
    (got,) = make().complete([ask()], listener=listener)
    assert got.text.strip() == ANSWER
    assert got.usage.calls == len(fake.asked()) == 3


@pytest.mark.parametrize("code", LASTING)
def test_what_lasts_is_not(fake: Fake, make: Make, code: int) -> None:
    fake.reply(error(code, "never"), says())
    with fails(BookwormError, match="never"):
        make().complete([ask()])
    assert len(fake.asked()) == 1


@pytest.mark.parametrize("attempts", [1, 3])
def test_attempts_come_to_an_end(fake: Fake, make: Make, attempts: int) -> None:
    fake.reply(error(503, "Loading model"))
    with fails(ModelServerFailed, match="Loading model") as caught:
        make(attempts=attempts).complete([ask()])
    assert len(fake.asked()) == attempts
    assert ("asked 3 times" in in_full(caught.value)) == (attempts == 3)


@pytest.mark.parametrize(("code", "advice"), [(401, "KEY"), (403, "KEY"), (404, "URL")])
def test_what_the_person_can_mend(fake: Fake, make: Make, code: int, advice: str) -> None:
    fake.reply(error(code, "no"))
    with fails(GeneratorUnavailable, match=f"BOOKWORM_OPENAI_{advice}"):
        make().complete([ask()])


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (404, "The model `x` does not exist."),
        (404, 'model "x" not found, try pulling it first'),
        (400, "Server is pinned to 'y'; requested 'x'."),
    ],
)
def test_a_model_that_the_server_lacks(fake: Fake, make: Make, code: int, said: str) -> None:
    fake.reply(status(code, {"detail": said}))
    with fails(GeneratorUnavailable, match="BOOKWORM_OPENAI_MODEL"):
        make().complete([ask()])


def test_an_account_without_money_is_not_asked_again(fake: Fake, make: Make) -> None:
    body = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    fake.reply(status(429, body))
    with fails(GeneratorUnavailable, match="account"):
        make().complete([ask()])
    assert len(fake.asked()) == 1


def test_the_server_says_when(fake: Fake, make: Make) -> None:
    fake.reply(error(429, "slow down", Retry_After="0.6"), says())
    begun = time.monotonic()
    make().complete([ask()])
    assert time.monotonic() - begun >= 0.6


def test_a_server_that_wants_to_rest_for_long_is_not_waited_for(fake: Fake, make: Make) -> None:
    fake.reply(error(429, "slow down", Retry_After="3600"))
    begun = time.monotonic()
    with pytest.raises(ModelServerFailed):
        make().complete([ask()])
    assert time.monotonic() - begun < 20
    assert len(fake.asked()) == 1


def test_when_as_a_date() -> None:
    assert retry_after({"retry-after": formatdate(time.time() + 30, usegmt=True)}) == pytest.approx(30, abs=2)
    assert retry_after({"retry-after": formatdate(time.time() - 30, usegmt=True)}) == 0
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


def test_pauses_grow(fake: Fake) -> None:
    fake.reply(error(503, "busy"))
    setup = OpenAISetup(url=fake.url, model="m", attempts=4)
    begun = time.monotonic()
    with pytest.raises(ModelServerFailed):
        OpenAIModel(setup, first_wait=0.2).complete([ask()])
    assert 0.5 * (0.2 + 0.4 + 0.8) <= time.monotonic() - begun < 20


def test_nobody_is_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    model = OpenAIModel(OpenAISetup(url=f"http://127.0.0.1:{port}/v1", model="m"), first_wait=0.01)
    with fails(ModelServerFailed, match=f"(?s){port}.*can't be reached.*refused.*asked 4 times"):
        model.complete([ask()])
    assert model.context == 8192, "what is assumed will do until it is there"


def test_nobody_takes_the_call() -> None:
    """A dropped packet looks like silence, but it is not the model that is slow."""
    address = read_address("http://h/v1", key=None)
    error = APITimeoutError(httpx2.Request("POST", "http://h/v1"))
    error.__cause__ = httpx2.ConnectTimeout("timed out")
    fault = fault_of(error, address)
    assert "http://h/v1 can't be reached" in in_full(fault.error)
    assert "TIMEOUT" not in in_full(fault.error)
    assert (fault.again, fault.cost) == (True, 1)


def test_a_server_that_says_nothing(fake: Fake, make: Make) -> None:
    fake.reply(silent)
    begun = time.monotonic()
    with fails(ModelServerFailed, match=r"silent for 0\.3 seconds.*BOOKWORM_OPENAI_TIMEOUT"):
        make(timeout=0.3).complete([ask()])
    assert time.monotonic() - begun < 20
    assert len(fake.asked()) == 2, "silence is waited out once more, not four times"


@pytest.mark.parametrize("listener", [None, Ear()])
@pytest.mark.parametrize("reply", [drip_headers, drip_body, drip_events])
def test_a_server_that_never_ends(fake: Fake, make: Make, reply: Reply, listener: Ear | None) -> None:
    fake.reply(reply)
    begun = time.monotonic()
    with fails(ModelServerFailed, match=r"did not finish its answer in 1 seconds.*BOOKWORM_OPENAI_TIMEOUT"):
        make(timeout=0.2).complete([ask()], listener=listener)
    assert 0.9 < time.monotonic() - begun < 20
    assert len(fake.asked()) == 1


GARBAGE = [
    raw(b"<html><title>Welcome to nginx</title></html>", "text/html"),
    raw(b'{"choices": [{"message": {"content": "Be'),
    raw(b"{}"),
    raw(b"null"),
    raw(b'{"choices": []}'),
    raw(b'{"choices": "none"}'),
    raw(b"\xff\xfe\x00"),
    raw(b""),
]


@pytest.mark.parametrize("listener", [None, Ear()])
@pytest.mark.parametrize("reply", GARBAGE)
def test_garbage(fake: Fake, make: Make, reply: Reply, listener: Ear | None) -> None:
    fake.reply(reply)
    with fails(ModelServerFailed, match="did not answer with a completion"):
        make().complete([ask()], listener=listener)
    assert len(fake.asked()) <= 2, "once as a stream, and once as a whole"


def test_garbage_is_shown_in_part(fake: Fake, make: Make) -> None:
    fake.reply(raw(b"<html>" + b"x" * 100_000))
    with fails(ModelServerFailed, match="<html>") as caught:
        make().complete([ask()])
    assert len(in_full(caught.value)) < 500


@pytest.mark.parametrize("sent", ["{broken", "[1, 2]", '"word"', "<html>", "7", '{"choices": 3}'])
def test_broken_events(fake: Fake, make: Make, sent: str) -> None:
    fake.reply(events(chunk(content="Bess "), sent, "[DONE]"))
    with pytest.raises(ModelServerFailed):
        make(attempts=1).complete([ask()], listener=Ear())


@pytest.mark.parametrize("field", ["content", "reasoning"])
def test_an_endless_answer_is_cut(fake: Fake, make: Make, field: str) -> None:
    def reply(handler: Handler, seen: Seen) -> None:
        handler.open_stream()
        while True:
            handler.event(chunk(**{field: "so "}))

    fake.reply(reply, says())
    (got,) = make().complete([ask()], listener=Ear())
    if field == "content":
        assert got.finish is Finish.LENGTH
        assert len(got.text) <= LONG_TOKEN * ask().max_tokens + 3
    else:
        assert (got.text.strip(), got.usage.calls) == (ANSWER, 2)
    assert fake.hung_up.wait(2)


def test_an_answer_cut_short_on_the_way_is_asked_for_again(fake: Fake, make: Make) -> None:
    fake.reply(cut_short, says())
    assert make().complete([ask()])[0].usage.calls == 2


def test_a_stream_that_breaks_before_its_first_word_is_begun_again(fake: Fake, make: Make) -> None:
    fake.reply(events(chunk(role="assistant")), says())
    ear = Ear()
    (got,) = make().complete([ask()], listener=ear)
    assert got.usage.calls == 2
    assert ear.text().strip() == ANSWER


def test_a_stream_that_breaks_later_is_not(fake: Fake, make: Make) -> None:
    """Streamed text can't be taken back here. The writer may start again."""
    fake.reply(says(then=hang_up))
    with fails(ModelServerFailed, match="ended the connection"):
        make().complete([ask()], listener=Ear())
    assert len(fake.asked()) == 1


def test_a_hang_up_is_tried_again(fake: Fake, make: Make) -> None:
    fake.reply(lambda handler, _: hang_up(handler), says())
    assert make().complete([ask()])[0].usage.calls == 2


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_nobody_is_followed_elsewhere(fake: Fake, make: Make, code: int) -> None:
    fake.reply(status(code, {}, Location="http://127.0.0.2:1/v1/chat/completions?key=x"))
    with fails(GeneratorUnavailable, match=r"to http://127\.0\.0\.2, .*BOOKWORM_OPENAI_URL"):
        make().complete([ask()])
    assert len(fake.seen) == 1
