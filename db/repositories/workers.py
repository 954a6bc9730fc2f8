"""Heartbeats: which worker processes are alive, and which have gone silent."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, delete, select

from db.columns import now
from db.repositories.base import Repository, record_of
from db.tables import WorkerRow
from db.types import WorkerRecord


class WorkerRepository(Repository):
    def beat(self, worker_id: str) -> None:
        moment = now()
        beat = self._insert(WorkerRow).values(id=worker_id, started=moment, seen=moment)
        self._session.execute(beat.on_conflict_do_update(index_elements=["id"], set_={"seen": moment}))

    def forget(self, worker_id: str) -> bool:
        return self._changed(delete(WorkerRow).where(WorkerRow.id == worker_id)) > 0

    def silent(self, *, since: datetime) -> list[WorkerRecord]:
        """Return workers without a heartbeat since then."""
        return self._records(WorkerRow.seen < since)

    def alive(self, *, since: datetime) -> list[WorkerRecord]:
        return self._records(WorkerRow.seen >= since)

    def _records(self, condition: ColumnElement[bool]) -> list[WorkerRecord]:
        rows = self._all(select(WorkerRow).where(condition).order_by(WorkerRow.started, WorkerRow.id))
        return [record_of(WorkerRecord, row) for row in rows]
