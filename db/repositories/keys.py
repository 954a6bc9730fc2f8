"""API keys and how much each was used. A key itself is never here, only its hash."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from sqlalchemy import ColumnElement, func, insert, select, update

from db.columns import now
from db.identity import make_id
from db.repositories.base import Repository
from db.tables import KeyRow, KeyUseRow
from db.types import KeyRecord, Scope

Keys = list[KeyRecord]


class KeyRepository(Repository):
    def create(
        self,
        *,
        name: str,
        library: str,
        scopes: Iterable[Scope],
        rate_per_minute: int,
        quota_per_day: int,
        key_sha256: str,
    ) -> KeyRecord:
        row = {
            "id": make_id("key"),
            "name": name,
            "library": library,
            "scopes": sorted(scopes),
            "rate_per_minute": rate_per_minute,
            "quota_per_day": quota_per_day,
            "key_sha256": key_sha256,
        }
        self._session.execute(insert(KeyRow).values(row))
        return self._records(KeyRow.id == row["id"])[0]

    def by_hash(self, key_sha256: str) -> KeyRecord | None:
        """Revoked keys too: whoever asks says why the door stays shut."""
        return next(iter(self._records(KeyRow.key_sha256 == key_sha256)), None)

    def list(self) -> Keys:
        """Oldest first."""
        return self._records()

    def revoke(self, key_id: str) -> bool:
        """False when there is no such key, or it was revoked before."""
        which = update(KeyRow).where(KeyRow.id == key_id, KeyRow.revoked.is_(None))
        return self._changed(which.values(revoked=now())) > 0

    def use(self, key_id: str, *, day: date, amount: int = 1) -> int:
        """Adds to the day's use and returns its total."""
        added = self._insert(KeyUseRow).values(key_id=key_id, day=day, amount=amount, last=now())
        total = added.on_conflict_do_update(
            index_elements=["key_id", "day"],
            set_={"amount": KeyUseRow.amount + added.excluded.amount, "last": added.excluded.last},
        ).returning(KeyUseRow.amount)
        return self._session.execute(total).scalar_one()

    def any(self) -> bool:
        """Whether a key was ever made, revoked ones too."""
        return self._session.scalar(select(KeyRow.id).limit(1)) is not None

    def _records(self, *conditions: ColumnElement[bool]) -> Keys:
        last = select(func.max(KeyUseRow.last)).where(KeyUseRow.key_id == KeyRow.id).scalar_subquery()
        query = select(KeyRow, last).where(*conditions).order_by(KeyRow.id)
        found = self._session.execute(query.execution_options(populate_existing=True))
        return [_record(row, last_used) for row, last_used in found]


def _record(row: KeyRow, last_used: datetime | None) -> KeyRecord:
    return KeyRecord(
        id=row.id,
        name=row.name,
        library=row.library,
        scopes=frozenset(Scope(scope) for scope in row.scopes),
        rate_per_minute=row.rate_per_minute,
        quota_per_day=row.quota_per_day,
        created=row.created,
        revoked=row.revoked,
        last_used=last_used,
    )
