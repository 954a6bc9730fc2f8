"""What can go wrong at the HTTP edge itself, before or around a use case."""

from __future__ import annotations

from books.errors import BookwormError


class RequestInvalid(BookwormError):
    """Parameters or a body that don't fit the API; the places travel with the error."""

    code = "request_invalid"
    remedy = "Correct the parts listed under `errors`; `/docs` says what each operation takes."

    def __init__(
        self, detail: str, *, errors: tuple[tuple[str, str], ...] = (), remedy: str | None = None
    ) -> None:
        super().__init__(detail, remedy=remedy)
        self.errors = errors


class CursorInvalid(BookwormError):
    code = "cursor_invalid"
    remedy = "Use the `next` value of the page before, unchanged, or leave `cursor` out to start again."


class AddressTooLong(BookwormError):
    code = "address_too_long"
    remedy = "Ask for less at a time: the whole of the address counts, its query included."


class BodyTooLarge(BookwormError):
    code = "body_too_large"
    remedy = "Send a smaller body."


class BodyStalled(BookwormError):
    code = "body_stalled"
    remedy = "Send the request again over a steadier connection."
    retryable = True


class MediaTypeUnsupported(BookwormError):
    code = "media_type_unsupported"
    remedy = "Send the body in the media type that `/docs` names for this operation."


class RouteUnknown(BookwormError):
    code = "route_unknown"
    remedy = "See `/docs` for the addresses there are."


class MethodNotAllowed(BookwormError):
    code = "method_not_allowed"
    remedy = "Use one of the methods in the `Allow` header."


class HostRefused(BookwormError):
    """Open mode answers only to loopback names, so that a web page can't reach it by rebinding DNS."""

    code = "host_refused"
    remedy = "Call the service as `localhost` or `127.0.0.1`, or create a key with `bookworm keys create`."


class OriginRefused(BookwormError):
    """Open mode takes nothing that another web site's page sends."""

    code = "origin_refused"
    remedy = "Send the request from a program or from the service's own pages, or create a key."


class TookTooLong(BookwormError):
    code = "took_too_long"
    remedy = "Try again: the work may have been finished and cached by then."
    retryable = True


class TooManyStreams(BookwormError):
    code = "too_many_streams"
    remedy = "Close a stream of events, or try again in a moment."
    retryable = True


class InternalError(BookwormError):
    """Says nothing internal: the log has the rest under the request's id."""

    code = "internal_error"
    remedy = "Try again; if it happens again, report it with the id in `instance`."
