"""Readers' verdicts that override the judge's: one for each claim."""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, func, select

from db.columns import now
from db.repositories.base import Repository, record_of
from db.tables import OverrulingRow
from db.types import FactRecord, OverrulingRecord
from generation.types import Category, Label


class OverrulingRepository(Repository):
    def put(
        self,
        book_id: str,
        fact: FactRecord,
        *,
        name: str | None,
        label: Label,
        comment: str | None,
        by: str | None,
    ) -> OverrulingRecord:
        """Store a verdict in place of an earlier one on the same claim. Raises BookGone."""
        self._lock(book_id)
        moment = now()
        values_set = {"name": name, "label": label, "comment": comment, "by": by, "updated": moment}
        claim = {"character": fact.subject, "text": fact.text, "category": fact.category, "upto": fact.upto}
        changed = {**claim, **values_set, "judged": fact.label}
        row = self._insert(OverrulingRow).values(book_id=book_id, fact_id=fact.id, created=moment, **changed)
        self._session.execute(row.on_conflict_do_update(index_elements=["book_id", "fact_id"], set_=changed))
        self._remark(book_id)
        kept = self.get(book_id, fact.id)
        assert kept is not None
        return kept

    def get(self, book_id: str, fact_id: str) -> OverrulingRecord | None:
        row = self._one(select(OverrulingRow).where(*_this(book_id, fact_id)))
        return _record(row) if row else None

    def of_book(
        self, book_id: str, *, upto: int | None = None, start: int = 0, limit: int | None = None
    ) -> list[OverrulingRecord]:
        """Return verdicts, oldest first; with `upto`, only those visible to a reader at that point."""
        order = (OverrulingRow.created, OverrulingRow.fact_id)
        query = select(OverrulingRow).where(*_of(book_id, upto)).order_by(*order).offset(start)
        rows = self._all(query if limit is None else query.limit(limit))
        return [_record(row) for row in rows]

    def count(self, book_id: str, *, upto: int | None = None) -> int:
        query = select(func.count()).select_from(OverrulingRow).where(*_of(book_id, upto))
        return self._session.scalar(query) or 0

    def delete(self, book_id: str, fact_id: str) -> bool:
        """Delete a verdict and return whether there was one. Raises BookGone."""
        self._lock(book_id)
        if not self._changed(delete(OverrulingRow).where(*_this(book_id, fact_id))):
            return False
        self._remark(book_id)
        return True


def _this(book_id: str, fact_id: str) -> tuple[ColumnElement[bool], ...]:
    return OverrulingRow.book_id == book_id, OverrulingRow.fact_id == fact_id


def _of(book_id: str, upto: int | None) -> tuple[ColumnElement[bool], ...]:
    here = OverrulingRow.book_id == book_id
    return (here,) if upto is None else (here, OverrulingRow.upto <= upto)


def _record(row: OverrulingRow) -> OverrulingRecord:
    fact = FactRecord(
        row.fact_id, row.character, row.text, Category(row.category), Label(row.judged), row.upto
    )
    return record_of(OverrulingRecord, row, fact=fact, label=Label(row.label))
