"""Errors of the HTTP layer itself, before or around a use case."""

from __future__ import annotations

from books.errors import BookwormError


class RequestInvalid(BookwormError):
    """Invalid parameters or an invalid body. The error includes the places."""

    code = "request_invalid"
    remedy = "Correct the parts listed under `errors`. See `/docs` for the parameters of each operation."

    def __init__(
        self, detail: str, *, errors: tuple[tuple[str, str], ...] = (), remedy: str | None = None
    ) -> None:
        super().__init__(detail, remedy=remedy)
        self.errors = errors


class CursorInvalid(BookwormError):
    code = "cursor_invalid"
    remedy = "Use the unchanged `next` value of the previous page, or omit `cursor` to start again."


class AddressTooLong(BookwormError):
    code = "address_too_long"
    remedy = "Shorten the URL, including its query, for example by requesting less at a time."


class BodyTooLarge(BookwormError):
    code = "body_too_large"
    remedy = "Send a smaller body."


class BodyStalled(BookwormError):
    code = "body_stalled"
    remedy = "Send the request again over a more reliable connection."
    retryable = True


class MediaTypeUnsupported(BookwormError):
    code = "media_type_unsupported"
    remedy = "Use the media type for this operation, which is listed in `/docs`."


class RouteUnknown(BookwormError):
    code = "route_unknown"
    remedy = "See `/docs` for all URLs."


class MethodNotAllowed(BookwormError):
    code = "method_not_allowed"
    remedy = "Use one of the methods in the `Allow` header."


class HostRefused(BookwormError):
    """Open mode accepts only loopback host names, so that a web page cannot reach it by DNS rebinding."""

    code = "host_refused"
    remedy = "Use `localhost` or `127.0.0.1` as host name, or create a key with `bookworm keys create`."


class OriginRefused(BookwormError):
    """Open mode accepts no requests from pages of other web sites."""

    code = "origin_refused"
    remedy = "Send the request from a program or from the pages of the service, or create a key."


class TookTooLong(BookwormError):
    code = "took_too_long"
    remedy = "Try again. The result may be available by then."
    retryable = True


class TooManyStreams(BookwormError):
    code = "too_many_streams"
    remedy = "Close an event stream, or try again later."
    retryable = True


class InternalError(BookwormError):
    """An unexpected error. Details appear only in the log, under the id of the request."""

    code = "internal_error"
    remedy = "Try again. If the error remains, report it with the id in `instance`."
