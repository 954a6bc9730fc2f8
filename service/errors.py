"""Errors in a request that are found before an engine is called."""

from __future__ import annotations

from books.errors import BookwormError


class BookUnknown(BookwormError):
    code = "book_unknown"
    remedy = "List the books to see their ids."


class BookNotReady(BookwormError):
    """The book exists but has not been processed yet; `job` is the id of its job."""

    code = "book_not_ready"
    remedy = "Wait for its ingest job to finish, then try again."
    retryable = True


class BookFailed(BookwormError):
    code = "book_failed"
    remedy = "Check why its job failed, then upload the book again."


class JobUnknown(BookwormError):
    code = "job_unknown"
    remedy = "List the jobs to see those of this library."


class JobNotFailed(BookwormError):
    """The job cannot be retried, because the book was processed."""

    code = "job_not_failed"
    remedy = "The book is ready. Reprocess it, or upload it again with other options."


class KeyNeeded(BookwormError):
    """Revoking the key would lock its user out, and the request does not confirm this."""

    code = "key_needed"
    remedy = "Create another admin key first, or pass `anyway=true`."


class FirstKeyRefused(BookwormError):
    code = "first_key_refused"
    remedy = "Give the first key the scope `admin`, then use it to create other keys."


class GateInvalid(BookwormError):
    code = "gate_invalid"
    remedy = "Use the number of a chapter, for example `5`, or of a paragraph, for example `p:120`."


class ChapterUnknown(BookwormError):
    code = "chapter_unknown"
    remedy = "List the chapters of the book to see their numbers."


class IdempotencyKeyReused(BookwormError):
    """The key came before, with another request."""

    code = "idempotency_key_reused"
    remedy = "Send a new key with each new request, and the same one only to repeat a request unchanged."


class TooManyCharacters(BookwormError):
    code = "too_many_characters"
    remedy = "Request fewer characters at a time."


class SummaryTooLong(BookwormError):
    code = "summary_too_long"
    remedy = "Shorten the summary."


class GeneratorFixed(BookwormError):
    code = "generator_fixed"
    remedy = "Remove the setting, or set it to `auto`, and restart the service."


class ModelUnknown(BookwormError):
    code = "model_unknown"
    remedy = "Run `bookworm models` for the names. The server must be running."


class TextMissing(BookwormError):
    """A required text is empty after whitespace and control characters are removed."""

    code = "text_missing"
    remedy = "Enter some text."


class TextTooLong(BookwormError):
    code = "text_too_long"
    remedy = "Shorten the text, or send it in parts."


class ReferenceMissing(BookwormError):
    code = "reference_missing"
    remedy = "Store one with `PUT …/reference` or `bookworm reference`."


class FactUnknown(BookwormError):
    code = "fact_unknown"
    remedy = "Use the id of a fact in a stored answer. Request the answer again if necessary."
