"""The log of corrections, which is append-only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import bindparam, func, insert, select

from books.types import Span
from coref.decisions.types import Decision, DecisionKind, Sighting
from db.repositories.base import Repository
from db.tables import DecisionRow
from db.types import RepeatableRequest

_COUNT = select(func.count()).select_from(DecisionRow).where(DecisionRow.book_id == bindparam("book"))


class DecisionRepository(Repository):
    def append(
        self, book_id: str, wanted: Decision, *, repeatable: RepeatableRequest | None = None
    ) -> Decision:
        """Append a decision with the next number of the book's log, without gaps. Raises BookGone."""
        self._lock(book_id)
        decision = replace(wanted, number=self.count(book_id) + 1)
        row = {
            "book_id": book_id,
            "number": decision.number,
            "kind": decision.kind,
            "character": decision.character,
            "other": decision.other,
            "name": decision.name,
            "aliases": list(decision.aliases),
            "spans": _pairs(decision.spans),
            "undoes": decision.undoes,
            "pronouns": decision.pronouns,
            "sightings": [
                [s.character, s.name, s.named, s.count, _pairs(s.places)] for s in decision.sightings
            ],
            "idempotency_key": repeatable and repeatable.key,
            "request_sha256": repeatable and repeatable.sha256,
        }
        self._session.execute(insert(DecisionRow).values(row))
        return decision

    def requested(self, book_id: str, *, key: str) -> tuple[Decision, RepeatableRequest] | None:
        """Return the decision that was requested with this key, and that request."""
        rows = select(DecisionRow).where(DecisionRow.book_id == book_id, DecisionRow.idempotency_key == key)
        row = self._one(rows)
        return None if row is None else (_decision(row), RepeatableRequest(key, row.request_sha256 or ""))

    def log(self, book_id: str) -> tuple[Decision, ...]:
        rows = select(DecisionRow).where(DecisionRow.book_id == book_id).order_by(DecisionRow.number)
        return tuple(_decision(row) for row in self._all(rows))

    def count(self, book_id: str) -> int:
        return self._session.scalar(_COUNT, {"book": book_id}) or 0


def _decision(row: DecisionRow) -> Decision:
    return Decision(
        number=row.number,
        kind=DecisionKind(row.kind),
        character=row.character,
        other=row.other,
        name=row.name,
        aliases=tuple(row.aliases),
        spans=_spans(row.spans),
        undoes=row.undoes,
        pronouns=row.pronouns,
        sightings=tuple(
            Sighting(key, name, named, count, _spans(places))
            for key, name, named, count, places in row.sightings or ()
        ),
    )


def _pairs(spans: Sequence[Span]) -> list[list[int]]:
    return [[span.start, span.end] for span in spans]


def _spans(pairs: Sequence[Sequence[int]]) -> tuple[Span, ...]:
    return tuple(Span(start, end) for start, end in pairs)
