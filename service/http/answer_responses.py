"""Responses for answers: complete, streamed, or only the estimated cost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from anyio import to_thread
from fastapi import Response

from generation.errors import WritingCancelled
from generation.protocols import Audience
from generation.types import Task
from service.http import answer_stream, sse
from service.http.call import Call
from service.http.errors import RequestInvalid
from service.http.parameters import How
from service.usecases import answers
from service.usecases.answer_request import OpenRequest, Wanted
from service.usecases.reader_feedback import counted
from service.wire.answers import PlanOut, PortraitOut


async def answer(
    call: Call, book_id: str, *, task: Task, names: Sequence[str], wanted: Wanted, how: How
) -> Response:
    """Return the response with an answer.

    Errors in the request are reported before anything is generated, and before a stream starts.
    """
    check_how(how)
    seen = await to_thread.run_sync(_look, call, book_id, task, names, wanted, how)
    if isinstance(seen, Response):
        return seen
    asked, remarks = seen
    if not how.stream:
        return await to_thread.run_sync(_whole, call, asked, remarks, limiter=call.writers)
    return streamed(call, lambda channel: _written(call, asked, audience=channel)[1].decode())


def check_how(how: How) -> None:
    if how.stream and how.dry_run:
        raise RequestInvalid("A dry run cannot be streamed.", remedy="Omit `stream` or `dry_run`.")


def streamed(call: Call, write: Callable[[answer_stream.Channel], str]) -> Response:
    """Return the events of what is written, which `write` returns as JSON at the end."""
    return sse.EventStream(call.streams, _told(call, write))


def _look(
    call: Call, book_id: str, task: Task, names: Sequence[str], wanted: Wanted, how: How
) -> Response | tuple[OpenRequest, int]:
    """Return a cached or estimated response, or the request with the current number of remarks."""
    view = call.library.view(book_id, wanted.upto)
    remarks = counted(call.services, view)
    plainly = _keeps(call) and not (wanted.refresh or how.stream or how.dry_run)
    if plainly and (kept := call.kept(view, remarks=remarks)):
        return kept
    asked = answers.ask(call.services, view, task=task, names=names, wanted=wanted)
    if how.dry_run:
        return call.reply(PlanOut.of(answers.estimate(call.services, asked)))
    return asked, remarks


def _whole(call: Call, asked: OpenRequest, remarks: int) -> Response:
    made, body = _written(call, asked)
    if made.lasting and _keeps(call):
        call.keep(asked.view, body, remarks=remarks)
    return call.whole(body)


async def _told(call: Call, write: Callable[[answer_stream.Channel], str]) -> AsyncGenerator[str]:
    channel = answer_stream.Channel(candid=call.administers)
    writing = asyncio.ensure_future(to_thread.run_sync(_streamed, write, channel, limiter=call.writers))
    async with aclosing(answer_stream.frames(call.streams.pace, channel, writing)) as frames:
        async for frame in frames:
            yield frame


def _streamed(write: Callable[[answer_stream.Channel], str], channel: answer_stream.Channel) -> str:
    if channel.gone():  # the client disconnected while this waited for a thread
        raise WritingCancelled("No client is waiting for this answer any more.")
    return write(channel)


def _written(
    call: Call, asked: OpenRequest, *, audience: Audience | None = None
) -> tuple[answers.Answer, bytes]:
    made = answers.answer(call.services, asked, audience=audience, candid=call.administers)
    if asked.refresh:  # only now, so that no other request stores the old answer again in between
        call.forget(asked.view)
    out = PortraitOut.of(made.portrait, view=asked.view)
    return made, out.model_dump_json().encode()


def _keeps(call: Call) -> bool:
    """Whether the URL determines the answer, which is not the case for requests with a body."""
    return call.request.method == "GET"
