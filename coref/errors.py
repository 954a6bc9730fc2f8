"""What can go wrong between a text and its people."""

from __future__ import annotations

from books.errors import BookwormError


class ResolverUnavailable(BookwormError):
    code = "resolver_unavailable"
    remedy = "Choose another resolver in the settings, or run `bookworm doctor` to see what this one lacks."


class CharacterUnknown(BookwormError):
    code = "character_unknown"
    remedy = "List the book's characters to see the names it knows."


class CharacterAmbiguous(BookwormError):
    """Ambiguity is an answer: the candidates travel with the error."""

    code = "character_ambiguous"
    remedy = "Ask again with the id of one of the candidates."

    def __init__(self, detail: str, *, candidates: tuple[str, ...] = (), remedy: str | None = None) -> None:
        super().__init__(detail, remedy=remedy)
        self.candidates = candidates


class DecisionInvalid(BookwormError):
    code = "decision_invalid"
    remedy = "Check the decision against the book's current characters."


class AnnotationsDamaged(BookwormError):
    """A file that should hold annotations does not, or no longer does."""

    code = "annotations_damaged"
    remedy = "Annotate the book again: the damaged file is replaced."


class ResolverFailed(BookwormError):
    """The program that resolves ran, and did not come to an end or to a result."""

    code = "resolver_failed"
    remedy = "Look into the log for what it said last; `rules` is a resolver that needs no other program."


class BookNLPUnreadable(BookwormError):
    """A file is missing, or is not what BookNLP writes."""

    code = "booknlp_unreadable"
    remedy = (
        "Give the folder that BookNLP wrote: its `.entities`, and `.tokens`, `.quotes` and `.book` beside it."
    )


class BookNLPMismatch(BookwormError):
    """BookNLP's output is of another text."""

    code = "booknlp_mismatch"
    remedy = "Give the very text that BookNLP read, in the same edition."
