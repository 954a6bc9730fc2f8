"""Keys, managed by whoever holds one with the scope `admin`: those of that library, and with care.

Nobody is locked out unawares. The command line, which needs no key, does as it is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from db.types import KeyRecord, Scope
from service import access
from service.access import KeyMissing, Principal
from service.errors import FirstKeyRefused, KeyNeeded
from service.services import Services


def listed(
    services: Services, by: Principal, *, after: str | None = None, limit: int | None = None
) -> Sequence[KeyRecord]:
    """Oldest first, revoked ones too. Raises KeyMissing, as all of these do."""
    _check_open(services, by)
    return access.list_keys(services, library=by.library, after=after, limit=limit)


def make(
    services: Services,
    by: Principal,
    *,
    name: str,
    scopes: Iterable[Scope],
    rate_per_minute: int | None = None,
    quota_per_day: int | None = None,
) -> tuple[KeyRecord, str]:
    """The record and the secret. Raises FirstKeyRefused, KeyFieldsInvalid."""
    _check_open(services, by)
    wanted = access.with_weaker(scopes)
    if by.key_id is None and Scope.ADMIN not in wanted:
        raise FirstKeyRefused("With this as its first key, nobody could manage the service any more.")
    settings = services.settings
    return access.create_key(
        services,
        name=name.strip(),
        library=by.library,
        scopes=wanted,
        rate_per_minute=rate_per_minute or settings.default_rate_per_minute,
        quota_per_day=quota_per_day or settings.default_quota_per_day,
    )


def revoke(services: Services, by: Principal, *, key_id: str, anyway: bool = False) -> None:
    """Raises KeyUnknown; KeyNeeded for the key in use, and for the library's last one of an admin."""

    _check_open(services, by)

    def check(working: list[KeyRecord]) -> None:
        if key_id == by.key_id:
            raise KeyNeeded("This is the key that you are using.")
        if [key.id for key in working if Scope.ADMIN in key.scopes] == [key_id]:
            raise KeyNeeded("This is the last key that can manage keys.")

    access.revoke_key(services, key_id=key_id, library=by.library, check=None if anyway else check)


def _check_open(services: Services, by: Principal) -> None:
    """Who came without a key came before there was one; it may have been made a moment ago, elsewhere."""
    if by.key_id is None and access.has_keys(services.database):
        raise KeyMissing("This service wants a key: somebody has just made the first one.")
