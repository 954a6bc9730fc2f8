"""The event stream of a book."""

from __future__ import annotations

from typing import Annotated, Final

from anyio import to_thread
from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse

from service.http import sse
from service.http.call import ReadCall
from service.http.errors import RequestInvalid
from service.http.parameters import BookId
from service.http.problems import OF_RECORD

router = APIRouter(tags=["books"])

_MOST = 2**63 - 1
_EVENTS: Final = (
    "Server-sent events; each `data:` line is JSON: `id, job, kind, data, created`. `kind` is the name of "
    "the event: `job.queued`, `job.started`, `job.succeeded`, `job.failed` or `job.cancelled` of a job that "
    "reads the book, `answer.queued` and so on of one that writes an answer, `stage.started`, "
    "`stage.progress` (`data` has `job_progress` and `seconds_left`) and `stage.finished`. If the stream "
    "cannot go on, `error` (a problem) is the last, without an id."
)


@router.get(
    "/books/{book_id}/events",
    response_class=StreamingResponse,
    responses={200: {"description": _EVENTS, "content": {sse.MEDIA_TYPE: {}}}, **OF_RECORD},
)
async def stream_events(
    call: ReadCall,
    book_id: BookId,
    after: Annotated[int, Query(ge=0, le=_MOST, description="Start after the event with this id.")] = 0,
    follow: Annotated[bool, Query(description="Continue when no job is running any more.")] = False,
    last_event_id: Annotated[
        str | None,
        Header(max_length=20, description="The same as `after`. Browsers send it when they reconnect."),
    ] = None,
) -> Response:
    """Stream the events of a book. The stream ends when its job has ended, unless `follow` is set."""
    start = max(after, _number(last_event_id))
    await to_thread.run_sync(call.library.book, book_id)
    frames = sse.follow(call.library, call.streams.pace, book_id=book_id, after=start, forever=follow)
    return sse.EventStream(call.streams, frames)


def _number(last_event_id: str | None) -> int:
    if not last_event_id:
        return 0
    if not (last_event_id.isascii() and last_event_id.isdigit() and int(last_event_id) <= _MOST):
        problem = "must be the id of an event, which is a number"
        raise RequestInvalid(f"`Last-Event-ID` {problem}.", errors=(("header.last-event-id", problem),))
    return int(last_event_id)
