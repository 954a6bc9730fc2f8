"""What a reader gets when the server of the language model misbehaves, or the model on it.

Each row goes through the whole service and is heard as a stream: which events come, whose text is shown in
the end, and what is said of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, cast

import httpx
import pytest
from fastapi.testclient import TestClient

from coref.errors import ResolverUnavailable
from generation.models.openai import server_request
from service.app import create_app
from service.engines import Engines
from service.settings import Settings
from service.wire.answers import PortraitOut
from tests.generation.models.openai import fake
from tests.generation.models.openai.fake import (
    Fake,
    Handler,
    Reply,
    Seen,
    chunk,
    drip_events,
    error,
    events,
    hang_up,
    raw,
    says,
    silent,
    status,
)
from tests.generation.models.openai.test_learnt_slots import one_at_a_time
from tests.generation.models.openai.test_thinking_models import streams
from tests.http.cited import assert_quoted
from tests.http.test_streams import Event, told
from tests.service.conftest import STORY

TEXT = "Mr. Ford was the miller of the mill [1]. Mr. Ford read the books of Miss Lane twice [3]."
SHOWN = "Mr. Ford was the miller of the mill. Mr. Ford read the books of Miss Lane twice."
GOOD = says(TEXT)
ENDED = f"Who is he? A miller.</think>{TEXT}"
NOBODY = "http://127.0.0.1:9/v1"
COPY = " ".join(STORY.split()[2:60]).replace("“", "").replace("”", "")
ASIDE = {"reasoning_content": "Who is he? "}
CHANNELS = (
    "<|channel|>analysis<|message|>Hm, so.<|end|><|start|>assistant<|channel|>final<|message|>"
    + TEXT
    + "<|return|>"
)
GARBAGE = (
    "Tide boni farrow nel oning vond wordther lip cra ment dun quarles agong kettle mel oth back sand"
    " brow clerk table farr nuttall ship one two sea lamp."
)


def refuses(name: str, said: str) -> Reply:
    """Refuse any request with a field of this name."""

    def reply(handler: Handler, seen: Seen) -> None:
        (error(400, said) if name in seen.body else GOOD)(handler, seen)

    return reply


def cramped(room: int) -> Reply:
    """Think for this many tokens, and answer with what is left."""

    def reply(handler: Handler, seen: Seen) -> None:
        enough = seen.body["max_tokens"] > room
        (streams(ASIDE, {"content": TEXT}) if enough else streams(ASIDE, finish="length"))(handler, seen)

    return reply


@dataclass(frozen=True)
class Row:
    name: str
    replies: Sequence[Reply]
    calls: int
    """How often the server is asked for an answer."""
    again: str | None = None
    """Why what was shown before is void, the last time."""
    note: str | None = None
    """Words of the last note."""
    thinks: bool = False
    """Whether the reader is told that the model thinks."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Of a service that is asked nothing else."""
    listed: Reply | None = None
    """The list of models. Without it there is none."""


THE_MODEL_WRITES = [
    Row("unfit once", [says("I am sorry, but as an AI I can't help with that."), GOOD], 2,
        again="of the first answer, the model refuses", note="Asked again with another seed"),
    Row("thinking in the text", [says(f"<think>Who is he?</think>{TEXT}")], 1, thinks=True),
    Row("only the end of the thinking", [says(ENDED)], 1,
        again="what the model thought before its answer"),
    Row("channels", [says(CHANNELS)], 1, thinks=True),
    Row("thinking apart", [streams(ASIDE, {"content": TEXT})], 1, thinks=True),
    Row("thinking apart until no token is left", [cramped(500)], 2, thinks=True),
    Row("markers in parentheses", [says(TEXT.replace("[", "(Passage ").replace("]", ", chapter 2)"))], 1),
    Row("cut off after enough", [says(f"{TEXT} In the end he", finish="length")], 2,
        again="it is cut off", note="its unfinished last sentence is left out"),
    Row("429 for a while", [error(429, "slow down", Retry_After="0.05"), GOOD], 2),
    Row("500 for a while", [error(500, "oh"), error(502, "oh"), GOOD], 3),
    Row("too long a prompt", [error(400, "The maximum context length is 4096 tokens."), GOOD], 2,
        again="The prompt is too long"),
    Row("no max_tokens", [refuses("max_tokens", "Unsupported parameter: 'max_tokens'.")], 2),
    Row("no temperature", [refuses("temperature", "Unsupported value: 'temperature'.")], 2),
    Row("no seed", [refuses("seed", "Unsupported parameter: 'seed'.")], 2),
    Row("no stream", [refuses("stream", "streaming is not available")], 2),
    Row("a stream that breaks before its first word", [events(chunk(role="assistant")), GOOD], 2),
]  # fmt: skip
THE_OFFLINE_WRITER_WRITES = [
    Row("empty", [says("")], 2, again="it is empty"),
    Row("blanks", [says(" \n ")], 2, again="it is empty"),
    Row("null", [says(None)], 2, again="it is empty"),
    Row("thinking and nothing else", [streams(ASIDE)], 3, thinks=True, again="thought and wrote nothing"),
    Row("thinking without end", [cramped(10**9)], 3, thinks=True, again="thought and wrote nothing"),
    Row("garbage", [says(GARBAGE)], 2, again="in the wrong language, or in none"),
    Row("Chinese", [says("福特先生是磨坊主，他把账簿看了两遍，没有发现任何错误，最后他笑了。")], 2,
        again="in the wrong language, or in none"),
    Row("loop", [says("Mr. Ford is a miller. " * 12)], 2, again="it repeats itself"),
    Row("refusal", [says("I'm sorry, but I can't help with that request.")], 2, again="the model refuses"),
    Row("a copy", [says(COPY)], 2, again="it copies the book"),
    Row("cut off", [says("Mr. Ford was the miller and", finish="length")], 2, again="it is cut off"),
    Row("somebody else", [says("Miss Lane came [1]. Miss Lane was careful [1]. Miss Lane smiled [3].")], 2,
        again="about somebody else"),
    Row("invented", [says("Twenty whales danced in Lima while purple engines sang of algebra. " * 2)], 1,
        again="found in the book"),
    Row("429 for good", [error(429, "slow down", Retry_After="0.05")], 4, again="says 429: slow down"),
    Row("429 for ten minutes", [error(429, "slow down", Retry_After="600")], 1, again="says 429: slow down"),
    Row("no quota", [status(429, {"error": {"message": "Pay.", "code": "insufficient_quota"}})], 1,
        again="says 429", note="Check the account"),
    Row("500", [error(500, "oh")], 4, again="says 500: oh"),
    Row("connection refused", [GOOD], 0, again="can't be reached", settings={"openai_url": NOBODY}),
    Row("connection refused, and no model chosen", [GOOD], 0, again="can't be reached",
        settings={"openai_url": NOBODY, "openai_model": None}),
    Row("401, and no model chosen", [GOOD], 0, again="says 401: no", note="BOOKWORM_OPENAI_KEY",
        settings={"openai_model": None}, listed=error(401, "no")),
    Row("no list of models, and none chosen", [GOOD], 0, again="says 404", note="BOOKWORM_OPENAI_URL",
        settings={"openai_model": None, "generator": "openai"}),
    Row("several models, and none chosen", [GOOD], 0, again="2 models, and none is chosen: m, n",
        note="Set `BOOKWORM_OPENAI_MODEL`", settings={"openai_model": None, "generator": "openai"},
        listed=status(200, {"data": [{"id": "m"}, {"id": "n"}]})),
    Row("silence", [silent], 2, again="was silent for 0.3 seconds", note="BOOKWORM_OPENAI_TIMEOUT",
        settings={"openai_timeout": 0.3}),
    Row("an answer without end", [drip_events], 1, again="did not finish", note="BOOKWORM_OPENAI_TIMEOUT",
        settings={"openai_timeout": 0.1}),
    Row("a stream that breaks", [says(TEXT, then=hang_up)], 1, again="ended the connection in the middle"),
    Row("an error in the stream", [events(chunk(content="Mr. Ford "), '{"error": {"message": "no memory"}}')],
        1, again="no memory"),
    Row("a filter", [says(TEXT, finish="content_filter")], 1, again="content filter",
        note="Ask for other chapters"),
    Row("too long a prompt for good", [error(400, "The maximum context length is 600 tokens.")], 1,
        again="do not fit into", note="a longer context"),
    Row("401", [error(401, "no")], 1, again="says 401: no", note="BOOKWORM_OPENAI_KEY"),
    Row("404", [error(404, "Not Found")], 1, again="says 404", note="BOOKWORM_OPENAI_URL"),
    Row("no such model", [error(404, 'model "m" not found')], 1, again="not found",
        note="BOOKWORM_OPENAI_MODEL"),
    Row("HTML", [raw(b"<html><title>Welcome</title></html>", "text/html")], 2,
        again="did not answer with a completion", note="BOOKWORM_OPENAI_URL"),
    Row("redirect", [status(302, {}, Location="http://127.0.0.2:1/v1")], 1,
        again="redirects to http://127.0.0.2", note="BOOKWORM_OPENAI_URL"),
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def quick() -> Iterator[None]:
    """Pauses are short, and what is written is not parsed."""

    def parser(_: Engines) -> None:
        raise ResolverUnavailable("It has no grammar.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engines, "parser", parser)
        patch.setattr(server_request, "LONGEST_PAUSE", 0.02)
        yield


@pytest.fixture(scope="module")
def server() -> Iterator[Fake]:
    with fake.serve() as server:
        yield server


@pytest.fixture(scope="module")
def connect(read_once: tuple[Settings, str], server: Fake) -> Iterator[Callable[[Row], TestClient]]:
    """Return a service that knows nothing of the server yet: the same one for all rows without settings."""
    folder = read_once[0].data_dir
    given = {"openai_url": f"{server.url}/v1", "openai_model": "m", "openai_timeout": 5.0}
    with ExitStack() as stack:

        def service(**settings: Any) -> TestClient:
            fixed = {"data_dir": folder, "embedder": "hashing", "generator": "auto", "jobs_in_process": False}
            app = create_app(Settings(**{**fixed, **given, **settings}))
            return stack.enter_context(TestClient(app))

        shared = service()
        rule = shared.app.state.services.engines.rule  # type: ignore[attr-defined]
        stack.callback(rule.choose, None)

        def client(row: Row) -> TestClient:
            if row.settings:
                rule.choose(None)
                return service(**row.settings)
            rule.choose("openai", url=f"{server.url}/v1", model=row.name)
            return shared

        yield client


@dataclass(frozen=True)
class Reading:
    """What a reader hears and gets."""

    events: list[Event]
    answer: PortraitOut

    @property
    def reasons(self) -> list[str]:
        return [e.data["reason"] for e in self.events if e.kind == "again"]

    @property
    def text(self) -> str:
        """The text that is on the page when the answer comes."""
        last = max((n for n, e in enumerate(self.events) if e.kind == "again"), default=-1)
        return "".join(e.data["text"] for e in self.events[last + 1 :] if e.kind == "text").strip()


Read = Callable[..., Reading]


@pytest.fixture
def read(read_once: tuple[Settings, str], connect: Callable[[Row], TestClient], server: Fake) -> Read:
    def read(row: Row, of: str = "characters/Mr. Ford/description", **more: str) -> Reading:
        server.seen.clear()
        server.reply(*row.replies)
        server.reply(row.listed or error(404, "Not Found"), path="/v1/models")
        path = f"/v1/books/{read_once[1]}/{of}"
        asked = {"stream": "true", "refresh": "true", "words": "30", **more}
        service = cast(httpx.Client, connect(row))  # it has the same methods
        with service.stream("GET", path, params=asked) as response:
            *events, last = told(response)
        assert last.kind == "answer", last
        assert_quoted(service, last.data)
        return Reading(events, PortraitOut.model_validate(last.data))

    return read


@pytest.mark.parametrize("row", [pytest.param(r, id=r.name) for r in THE_MODEL_WRITES])
def test_the_model_writes_all_the_same(read: Read, server: Fake, row: Row) -> None:
    found = read(row)
    assert found.answer.rejected is None
    assert found.answer.text == SHOWN
    assert [len(s.citations) for s in found.answer.sentences] == [1, 1]
    check(found, server, row)
    assert bool(found.reasons) == (row.again is not None)


@pytest.mark.parametrize("row", [pytest.param(r, id=r.name) for r in THE_OFFLINE_WRITER_WRITES])
def test_the_offline_writer_writes_instead(read: Read, server: Fake, row: Row) -> None:
    found = read(row)
    assert found.answer.provenance.generator.startswith("offline/")
    assert found.text.split() == found.answer.text.split() != SHOWN.split()
    assert found.answer.rejected is not None
    assert found.answer.rejected.generator.startswith("openai")
    assert found.answer.rejected.reason == found.reasons[-1]
    assert found.reasons[-1] in found.answer.notes[-1]
    assert "so this is the offline answer" in found.answer.notes[-1]
    wrote = "rejected" in found.answer.notes[-1]
    assert found.answer.usage.calls == (row.calls if wrote else 0)
    check(found, server, row)


def test_thinking_that_only_ends_is_held_back_the_second_time(read: Read) -> None:
    row = Row("only the end of the thinking, again", [says(ENDED)], 1)
    assert read(row).reasons
    for reply in (says(ENDED), GOOD):
        found = read(replace(row, replies=[reply]))
        assert not found.reasons
        assert "thinking" in {e.kind for e in found.events}
        assert (found.text, found.answer.text) == (TEXT, SHOWN), "nothing is lost if it does not think"


def test_a_server_with_one_slot_reads_the_book_in_parts(read: Read, server: Fake) -> None:
    """There is room for eight calls, of which seven would wait without a byte."""
    server.peak = 0
    row = Row("one slot", [one_at_a_time(0.2, TEXT)], 4, settings={"openai_timeout": 1.0})
    found = read(row, "summary", strategy="hierarchical", chunk="100")
    assert [e.data["done"] for e in found.events if e.kind == "progress"] == [1, 2, 3]
    assert (found.answer.rejected, found.answer.text) == (None, SHOWN)
    assert server.peak == 2, "not all three parts at once"
    check(found, server, row)


def check(found: Reading, server: Fake, row: Row) -> None:
    assert len(server.asked()) == row.calls
    assert row.again is None or row.again in found.reasons[-1]
    assert row.note is None or row.note in " ".join(found.answer.notes)
    assert ("thinking" in {e.kind for e in found.events}) == row.thinks
