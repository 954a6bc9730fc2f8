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
