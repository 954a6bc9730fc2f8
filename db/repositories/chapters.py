"""Readers' corrections of where a book's chapters begin: one edit per book, the last one counts."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, select

from books.edits import ChapterEdit, ChapterMark
from db.columns import now
from db.repositories.base import Repository
from db.tables import ChapterEditRow


class ChapterEditRepository(Repository):
    def get(self, book_id: str) -> ChapterEdit | None:
        return self.several([book_id]).get(book_id)

    def several(self, book_ids: Collection[str]) -> dict[str, ChapterEdit]:
        rows = self._all(select(ChapterEditRow).where(ChapterEditRow.book_id.in_(book_ids)))
        return {row.book_id: _edit(row) for row in rows}

    def put(self, book_id: str, edit: ChapterEdit) -> bool:
        """Store the edit and return whether it is a change. Raises BookGone."""
        self._lock(book_id)
        if self.get(book_id) == edit:
            return False
        values = {
            "text_sha256": edit.text_sha256,
            "marks": [[mark.start, mark.title, mark.quote] for mark in edit.marks],
            "updated": now(),
        }
        row = self._insert(ChapterEditRow).values(book_id=book_id, **values)
        self._session.execute(row.on_conflict_do_update(index_elements=["book_id"], set_=values))
        return True

    def clear(self, book_id: str) -> bool:
        """Delete the edit and return whether there was one. Raises BookGone."""
        self._lock(book_id)
        return self._changed(delete(ChapterEditRow).where(ChapterEditRow.book_id == book_id)) > 0


def _edit(row: ChapterEditRow) -> ChapterEdit:
    marks = tuple(ChapterMark(start, title, quote) for start, title, quote in row.marks)
    return ChapterEdit(marks, row.text_sha256)
