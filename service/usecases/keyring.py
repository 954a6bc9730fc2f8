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
    """Oldest first, revoked ones too."""
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
    """The record and the secret. Raises FirstKeyRefused, KeyMissing, KeyFieldsInvalid."""
    wanted = access.with_weaker(scopes)
    if by.key_id is None:
        _check_first(services, wanted)
    settings = services.settings
    return access.create_key(
        services,
        name=name.strip(),
        library=by.library,
        scopes=wanted,
        rate_per_minute=rate_per_minute or settings.default_rate_per_minute,
        quota_per_day=quota_per_day or settings.default_quota_per_day,
    )


def _check_first(services: Services, scopes: frozenset[Scope]) -> None:
    """Who came without a key came before there was one. It may have been made a moment ago, elsewhere."""
    if access.has_keys(services.database):
        raise KeyMissing("This service wants a key: somebody has just made the first one.")
    if Scope.ADMIN not in scopes:
        raise FirstKeyRefused("With this as its first key, nobody could manage the service any more.")


def revoke(services: Services, by: Principal, *, key_id: str, anyway: bool = False) -> None:
    """Raises KeyUnknown; KeyNeeded for the key in use, and for the library's last one of an admin."""

    def check(working: list[KeyRecord]) -> None:
        if key_id == by.key_id:
            raise KeyNeeded("This is the key that you are using.")
        if [key.id for key in working if Scope.ADMIN in key.scopes] == [key_id]:
            raise KeyNeeded("This is the last key that can manage keys.")

    access.revoke_key(services, key_id=key_id, library=by.library, check=None if anyway else check)
