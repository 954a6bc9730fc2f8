"""Reference texts, which readers hold to be correct: one for each character and task."""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, select

from db.columns import now
from db.repositories.base import Repository, record_of
from db.tables import ReferenceRow
from db.types import ReferenceRecord
from generation.types import Task


class ReferenceRepository(Repository):
    def put(self, book_id: str, character: str, task: Task, *, name: str, text: str, source: str) -> bool:
        """Store a text in place of the one before; return whether it is a change. Raises BookGone."""
        self._lock(book_id)
        values = {"name": name, "text": text, "source": source}
        kept = self._one(select(ReferenceRow).where(*_this(book_id, character, task)))
        if kept is not None and all(getattr(kept, field) == value for field, value in values.items()):
            return False
        changed = {**values, "updated": now()}
        row = self._insert(ReferenceRow).values(book_id=book_id, character=character, task=task, **changed)
        keys = ["book_id", "character", "task"]
        self._session.execute(row.on_conflict_do_update(index_elements=keys, set_=changed))
        self._remark(book_id)
        return True

    def of_book(self, book_id: str) -> list[ReferenceRecord]:
        """Return texts, newest first."""
        order = (ReferenceRow.updated.desc(), ReferenceRow.character, ReferenceRow.task)
        rows = self._all(select(ReferenceRow).where(ReferenceRow.book_id == book_id).order_by(*order))
        return [record_of(ReferenceRecord, row, task=Task(row.task)) for row in rows]

    def delete(self, book_id: str, character: str, task: Task) -> bool:
        """Delete a text and return whether there was one. Raises BookGone."""
        self._lock(book_id)
        if not self._changed(delete(ReferenceRow).where(*_this(book_id, character, task))):
            return False
        self._remark(book_id)
        return True


def _this(book_id: str, character: str, task: Task) -> tuple[ColumnElement[bool], ...]:
    return (
        ReferenceRow.book_id == book_id,
        ReferenceRow.character == character,
        ReferenceRow.task == task,
    )
