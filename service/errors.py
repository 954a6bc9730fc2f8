"""What can go wrong between a request and its answer, before any engine is asked."""

from __future__ import annotations

from books.errors import BookwormError


class BookUnknown(BookwormError):
    code = "book_unknown"
    remedy = "List the library to see its books."


class BookNotReady(BookwormError):
    """The book is known but nothing of it is published; `job` says which job to watch."""

    code = "book_not_ready"
    remedy = "Wait for its ingest job to end, then ask again."
    retryable = True

    def __init__(self, detail: str, *, job: str | None = None, remedy: str | None = None) -> None:
        super().__init__(detail, remedy=remedy)
        self.job = job


class BookFailed(BookwormError):
    code = "book_failed"
    remedy = "See why its job failed, then upload the book again."


class JobUnknown(BookwormError):
    code = "job_unknown"
    remedy = "List the jobs to see the ones of this library."


class JobNotFailed(BookwormError):
    """There is nothing to try again: the book has been read."""

    code = "job_not_failed"
    remedy = "Look at the book: it is ready. Upload it again to have it read in another way."


class KeyNeeded(BookwormError):
    """Revoking it would lock somebody out, and nobody said that this is meant."""

    code = "key_needed"
    remedy = "Make another key with the scope `admin` and use that one, or say `anyway=true`."


class FirstKeyRefused(BookwormError):
    code = "first_key_refused"
    remedy = "Give the first key the scope `admin`, and weaker keys are made with it."


class GateInvalid(BookwormError):
    code = "gate_invalid"
    remedy = "Give a chapter number, such as `upto=5`, or a paragraph, such as `upto=p:120`."


class TooManyCharacters(BookwormError):
    code = "too_many_characters"
    remedy = "Ask for fewer characters at a time."


class SummaryTooLong(BookwormError):
    code = "summary_too_long"
    remedy = "Give a shorter summary."


class TextMissing(BookwormError):
    """Something was to be said in words, and no words were left once it was cleaned."""

    code = "text_missing"
    remedy = "Give some text."


class TextTooLong(BookwormError):
    code = "text_too_long"
    remedy = "Give a shorter text, or give it in parts."


class ReferenceMissing(BookwormError):
    code = "reference_missing"
    remedy = "Give one with `PUT …/reference` or `bookworm reference`."


class FactUnknown(BookwormError):
    code = "fact_unknown"
    remedy = "Take the id of a fact from an answer that is kept; ask for the answer again if need be."
