"""Errors of coreference and of readers' corrections."""

from __future__ import annotations

from books.errors import BookwormError, EngineUnavailable


class ResolverUnavailable(EngineUnavailable):
    code = "resolver_unavailable"
    remedy = "Choose another resolver in the settings, or run `bookworm doctor` to see what this one lacks."
    plain = "The resolver, which finds the characters, is not set up as it should be."


class CharacterUnknown(BookwormError):
    code = "character_unknown"
    remedy = "List the book's characters to see the names it knows."


class CharacterAmbiguous(BookwormError):
    """A name fits several characters. The error carries the candidates."""

    code = "character_ambiguous"
    remedy = "Ask again with the id of one of the candidates."

    def __init__(self, detail: str, *, candidates: tuple[str, ...] = (), remedy: str | None = None) -> None:
        super().__init__(detail, remedy=remedy)
        self.candidates = candidates


class DecisionInvalid(BookwormError):
    code = "decision_invalid"
    remedy = "Check the decision against the book's current characters."


class AnnotationsDamaged(BookwormError):
    """A file does not contain annotations, or no longer does."""

    code = "annotations_damaged"
    remedy = "Annotate the book again: the damaged file is replaced."


class ResolverFailed(BookwormError):
    """The external program of a resolver did not end, or ended without a result."""

    code = "resolver_failed"
    remedy = "Read the end of the log, or choose the resolver `rules`, which needs no other program."


class BookNLPUnreadable(BookwormError):
    """A file is missing, or is not a file written by BookNLP."""

    code = "booknlp_unreadable"
    remedy = (
        "Give the folder that BookNLP wrote: its `.entities`, and `.tokens`, `.quotes` and `.book` beside it."
    )


class BookNLPMismatch(BookwormError):
    """BookNLP's output belongs to another text."""

    code = "booknlp_mismatch"
    remedy = "Give the very text that BookNLP read, in the same edition."
