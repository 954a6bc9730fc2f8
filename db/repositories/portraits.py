"""Answers that were given, kept under the hash of all that went into them, and the facts in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert, select

from db.repositories.base import Repository
from db.tables import FactRow, PortraitRow
from generation.types import Citation, Fact, Task


class PortraitRepository(Repository):
    def get(self, book_id: str, key_hash: str) -> dict[str, Any] | None:
        return self._session.scalar(select(PortraitRow.payload).where(*_this(book_id, key_hash)))

    def put(
        self,
        book_id: str,
        key_hash: str,
        *,
        task: Task,
        characters: Sequence[str],
        payload: dict[str, Any],
        facts: Sequence[Fact],
    ) -> None:
        """In place of what was kept under the same hash. Raises BookGone."""
        self._lock(book_id)
        self._session.execute(delete(PortraitRow).where(*_this(book_id, key_hash)))
        row = {
            "book_id": book_id,
            "key_hash": key_hash,
            "task": task,
            "characters": list(characters),
            "payload": payload,
        }
        self._session.execute(insert(PortraitRow).values(row))
        rows = [_fact_row(book_id, key_hash, position, fact) for position, fact in enumerate(facts)]
        if rows:
            self._session.execute(insert(FactRow), rows)

    def clear(self, book_id: str) -> int:
        """Forgets the book's answers; says how many there were."""
        return self._changed(delete(PortraitRow).where(PortraitRow.book_id == book_id))


def _this(book_id: str, key_hash: str) -> tuple[Any, ...]:
    return (PortraitRow.book_id == book_id, PortraitRow.key_hash == key_hash)


def _fact_row(book_id: str, key_hash: str, position: int, fact: Fact) -> dict[str, Any]:
    return {
        "book_id": book_id,
        "key_hash": key_hash,
        "position": position,
        "category": fact.claim.category,
        "label": fact.verdict.label,
        "text": fact.claim.text,
        "score": fact.verdict.score,
        "evidence": [_citation(one) for one in fact.verdict.evidence],
    }


def _citation(citation: Citation) -> dict[str, int]:
    return {"start": citation.span.start, "end": citation.span.end, "chapter": citation.chapter}
