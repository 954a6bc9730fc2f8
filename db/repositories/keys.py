"""API keys and how much each was used. Only the hash of a key is stored."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from sqlalchemy import ColumnElement, func, insert, select, update

from db.columns import now
from db.identity import make_id
from db.repositories.base import Repository, record_of
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
        """Find a key by its hash, even a revoked one, so that the caller can report why it is refused."""
        return next(iter(self._records(KeyRow.key_sha256 == key_sha256)), None)

    def list(self, *, library: str | None = None, after: str | None = None, limit: int | None = None) -> Keys:
        """Return keys, oldest first, from the one after `after` on."""
        chosen = [] if library is None else [KeyRow.library == library]
        return self._records(*chosen, *([] if after is None else [KeyRow.id > after]), limit=limit)

    def lock(self, library: str) -> Keys:
        """Return the active keys of a library; nobody else can revoke one until the session ends."""
        working = (KeyRow.library == library, KeyRow.revoked.is_(None))
        self._all(select(KeyRow).where(*working).order_by(KeyRow.id).with_for_update())
        return self._records(*working)

    def revoke(self, key_id: str) -> bool:
        """Revoke a key; return False when there is no such key or it was revoked before."""
        which = update(KeyRow).where(KeyRow.id == key_id, KeyRow.revoked.is_(None))
        return self._changed(which.values(revoked=now())) > 0

    def use(self, key_id: str, *, day: date, amount: int = 1) -> int:
        """Add to the day's use and return its total."""
        added = self._insert(KeyUseRow).values(key_id=key_id, day=day, amount=amount, last=now())
        total = added.on_conflict_do_update(
            index_elements=["key_id", "day"],
            set_={"amount": KeyUseRow.amount + added.excluded.amount, "last": added.excluded.last},
        ).returning(KeyUseRow.amount)
        return self._session.execute(total).scalar_one()

    def any(self) -> bool:
        """Return whether a key was ever made, including revoked ones."""
        return self._session.scalar(select(KeyRow.id).limit(1)) is not None

    def _records(self, *conditions: ColumnElement[bool], limit: int | None = None) -> Keys:
        of_key = KeyUseRow.key_id == KeyRow.id
        last = select(func.max(KeyUseRow.last)).where(of_key).scalar_subquery()
        today = select(KeyUseRow.amount).where(of_key, KeyUseRow.day == now().date()).scalar_subquery()
        query = select(KeyRow, last, today).where(*conditions).order_by(KeyRow.id).limit(limit)
        found = self._session.execute(query.execution_options(populate_existing=True))
        return [_record(row, last_used, used or 0) for row, last_used, used in found]


def _record(row: KeyRow, last_used: datetime | None, used_today: int) -> KeyRecord:
    scopes = frozenset(map(Scope, row.scopes))
    return record_of(KeyRecord, row, scopes=scopes, last_used=last_used, used_today=used_today)
