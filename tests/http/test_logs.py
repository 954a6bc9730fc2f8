"""Logs are JSON with the ids of the request, and say nothing private."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from service.observability import context, logs


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    out = io.StringIO()
    logs.configure(level="info", stream=out)
    yield out
    logs.configure(level="error")


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_has_the_request_id(stream: io.StringIO) -> None:
    request_id = context.begin(None)
    logs.logger("bookworm.test").info("something", count=3)
    (line,) = lines(stream)
    assert (line["event"], line["count"], line["request_id"], line["level"]) == (
        "something",
        3,
        request_id,
        "info",
    )


def test_lines_of_libraries_have_the_same_shape(stream: io.StringIO) -> None:
    logging.getLogger("some.library").warning("careful: %s", "thing")
    (line,) = lines(stream)
    assert (line["event"], line["logger"]) == ("careful: thing", "some.library")


@pytest.mark.parametrize("speaker", ["ours", "library"])
def test_an_exception_is_a_class_and_places_never_its_message(stream: io.StringIO, speaker: str) -> None:
    try:
        raise ValueError("It was Mrs Danvers who set the fire")
    except ValueError:
        if speaker == "ours":
            logs.logger("bookworm.test").error("failed", exc_info=True)
        else:
            logging.getLogger("some.library").exception("failed")
    (line,) = lines(stream)
    assert line["exception"] == "builtins.ValueError"
    assert "test_logs.py" in str(line["frames"])
    assert "Danvers" not in stream.getvalue()


def test_private_fields_and_keys_do_not_get_out(stream: io.StringIO) -> None:
    log = logs.logger("bookworm.test")
    log.info("odd", text="Last night I dreamt", name="Rebecca", note="used bw_0123456789abcdef")
    logging.getLogger("some.library").warning("header was Bearer bw_0123456789abcdef")
    said = stream.getvalue()
    assert "dreamt" not in said
    assert "Rebecca" not in said
    assert "0123456789abcdef" not in said


def test_addresses_of_requests_are_not_logged_by_uvicorn_or_httpx(stream: io.StringIO) -> None:
    for name in ("uvicorn.access", "httpx"):
        logging.getLogger(name).info("GET /characters/Rebecca/description?q=secret")
    assert stream.getvalue() == ""


def test_what_a_library_repeats_is_logged_once_a_minute_without_details(stream: io.StringIO) -> None:
    now = 0.0
    library = logging.getLogger("chatty.library")
    library.addFilter(logs.Seldom(clock=lambda: now))
    for second in range(61):
        now = float(second)
        library.warning(f"Cannot list %s: (Error {second}) Mrs Danvers\nat {second}", "queues")
        if second % 50 == 0:
            library.warning("Something else")
    assert [line["event"] for line in lines(stream)] == [
        "Cannot list queues",
        "Something else",
        "Cannot list queues (59 more since the last line)",
    ]


def test_another_exception_is_no_repetition(stream: io.StringIO) -> None:
    library = logging.getLogger("failing.library")
    library.addFilter(logs.Seldom())
    for error in (ValueError("Mrs Danvers"), KeyError("Mrs Danvers"), ValueError("Mrs Danvers")):
        library.error("Exception in workflow:", exc_info=error)
    assert len(lines(stream)) == 2
    assert "Danvers" not in stream.getvalue()


def test_configuring_twice_does_not_log_twice(stream: io.StringIO) -> None:
    logs.configure(level="info", stream=stream)
    logs.logger("bookworm.test").info("once")
    assert len(lines(stream)) == 1


def test_console_is_for_people() -> None:
    out = io.StringIO()
    logs.configure(level="info", json=False, stream=out)
    logs.logger("bookworm.test").info("hello", count=3)
    logs.configure(level="error")
    assert "hello" in out.getvalue()
    with pytest.raises(json.JSONDecodeError):
        json.loads(out.getvalue())
