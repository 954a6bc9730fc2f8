"""Stored answers, under the hash of all their inputs, and the facts in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select

from db.repositories.base import Repository
from db.tables import ComparisonRow, FactRow, PortraitRow
from db.types import FactRecord
from generation.types import Category, Citation, Fact, Label, Task


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
        fact_ids: Sequence[str | None] = (),
        upto: int | None = None,
    ) -> None:
        """Store an answer in place of one under the same hash. `upto` is its gate. Raises BookGone.

        Facts with ids can be looked up by them.
        """
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
        names = fact_ids or [None] * len(facts)
        rows = [
            {
                **_fact_row(position, fact),
                "book_id": book_id,
                "key_hash": key_hash,
                "fact_id": name,
                "upto": upto,
            }
            for position, (fact, name) in enumerate(zip(facts, names, strict=True))
        ]
        if rows:
            self._session.execute(insert(FactRow), rows)

    def fact(self, book_id: str, fact_id: str) -> FactRecord | None:
        """Return a claim of any stored answer, with the last of several judgements of it."""
        this = (FactRow.book_id == book_id, FactRow.fact_id == fact_id)
        answers = (PortraitRow.book_id == FactRow.book_id) & (PortraitRow.key_hash == FactRow.key_hash)
        query = select(FactRow).join(PortraitRow, answers).where(*this)
        row = self._one(query.order_by(PortraitRow.created.desc(), FactRow.key_hash).limit(1))
        if row is None:
            return None
        return FactRecord(fact_id, row.subject, row.text, Category(row.category), Label(row.label), row.upto)

    def comparison(self, book_id: str, key_hash: str, *, made_of: str) -> dict[str, Any] | None:
        this = (ComparisonRow.book_id == book_id, ComparisonRow.key_hash == key_hash)
        query = select(ComparisonRow.payload).where(*this, ComparisonRow.made_of == made_of)
        return self._session.scalar(query)

    def compared(self, book_id: str, key_hash: str, *, made_of: str, payload: dict[str, Any]) -> bool:
        """Store a comparison in place of an earlier one; False if the answer itself is gone.

        Raises BookGone.
        """
        self._lock(book_id)
        if self._session.scalar(select(PortraitRow.key_hash).where(*_this(book_id, key_hash))) is None:
            return False
        row = self._insert(ComparisonRow).values(
            book_id=book_id, key_hash=key_hash, made_of=made_of, payload=payload
        )
        changed = {"made_of": made_of, "payload": payload}
        self._session.execute(row.on_conflict_do_update(index_elements=["book_id", "key_hash"], set_=changed))
        return True

    def count(self, book_id: str, *, decisions: int) -> int:
        """Return the number of the book's answers stored under this number of decisions."""
        under = PortraitRow.payload["provenance"]["decisions"].as_integer() == decisions
        query = select(func.count()).select_from(PortraitRow).where(PortraitRow.book_id == book_id, under)
        return self._session.scalar(query) or 0


def _this(book_id: str, key_hash: str) -> tuple[Any, ...]:
    return (PortraitRow.book_id == book_id, PortraitRow.key_hash == key_hash)


def _fact_row(position: int, fact: Fact) -> dict[str, Any]:
    return {
        "position": position,
        "subject": fact.claim.subject,
        "category": fact.claim.category,
        "label": fact.verdict.label,
        "text": fact.claim.text,
        "score": fact.verdict.score,
        "evidence": [_citation(one) for one in fact.verdict.evidence],
    }


def _citation(citation: Citation) -> dict[str, int]:
    return {"start": citation.span.start, "end": citation.span.end, "chapter": citation.chapter}
