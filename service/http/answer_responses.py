"""Responses for answers: complete, streamed, or only the estimated cost."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from anyio import CapacityLimiter, to_thread
from fastapi import Response
from fastapi.responses import StreamingResponse

from generation.protocols import Audience
from service.http import answer_stream, sse
from service.http.call import Call
from service.http.errors import RequestInvalid
from service.http.parameters import How
from service.shelf import View
from service.usecases import answers
from service.usecases.answer_request import Question, Wanted
from service.usecases.characters import open_view
from service.usecases.reader_feedback import counted
from service.wire.answers import PlanOut, PortraitOut

Ask = Callable[[View], Question]


async def answer(call: Call, book_id: str, ask: Ask, *, wanted: Wanted, how: How) -> Response:
    """Errors in the request are reported before anything is generated, and before a stream starts."""
    if how.stream and how.dry_run:
        raise RequestInvalid("A dry run cannot be streamed.", remedy="Omit `stream` or `dry_run`.")
    seen = await to_thread.run_sync(partial(_look, call, book_id, ask, wanted, how))
    if isinstance(seen, Response):
        return seen
    question, remarks = seen
    # Generating may take minutes. It has its own threads, so that other requests do not wait for one.
    threads: CapacityLimiter = call.request.app.state.writers
    if not how.stream:
        return await to_thread.run_sync(partial(_whole, call, question, remarks), limiter=threads)
    streams: sse.Streams = call.request.app.state.streams
    streams.enter()
    told = answer_stream.frames(streams, partial(_streamed, call, question), threads=threads)
    return StreamingResponse(told, media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)


def _look(call: Call, book_id: str, ask: Ask, wanted: Wanted, how: How) -> Response | tuple[Question, int]:
    """Returns the request with the number of remarks, counted before it is answered."""
    view = open_view(call.services, library=call.library, book_id=book_id, upto=wanted.upto)
    remarks = counted(call.services, view)
    plainly = _keeps(call) and not (wanted.refresh or how.stream or how.dry_run)
    if plainly and (kept := call.kept(view, remarks=remarks)):
        return kept
    question = ask(view)
    if how.dry_run:
        return call.reply(PlanOut.of(answers.estimate(call.services, question)))
    return question, remarks


def _whole(call: Call, question: Question, remarks: int) -> Response:
    made, body = _written(call, question)
    if made.lasting and _keeps(call):
        call.keep(question.view, body, remarks=remarks)
    return call.whole(body)


def _streamed(call: Call, question: Question, audience: Audience) -> str:
    return _written(call, question, audience=audience)[1].decode()


def _written(
    call: Call, question: Question, *, audience: Audience | None = None
) -> tuple[answers.Answer, bytes]:
    made = answers.answer(call.services, question, audience=audience)
    if question.refresh:  # only now, so that no other request stores the old answer again in between
        call.forget(question.view)
    out = PortraitOut.of(made.portrait, book_id=made.book_id, book=question.view.book)
    return made, out.model_dump_json().encode()


def _keeps(call: Call) -> bool:
    """Whether the URL determines the answer, which is not the case for requests with a body."""
    return call.request.method == "GET"
