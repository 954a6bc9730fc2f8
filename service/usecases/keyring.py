"""Management of API keys over HTTP. Callers with the scope `admin` manage the keys of their library.

Revoking a key that would lock its user out needs confirmation. The command line needs neither key nor
confirmation.
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
    """Lists keys, oldest first, including revoked ones. Like all functions here, raises KeyMissing."""
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
    """Returns the record and the secret. Raises FirstKeyRefused, KeyFieldsInvalid."""
    _check_open(services, by)
    wanted = access.with_weaker(scopes)
    if by.key_id is None and Scope.ADMIN not in wanted:
        raise FirstKeyRefused("With this as the first key, nobody could manage the service.")
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
    """Raises KeyUnknown. Raises KeyNeeded for the key in use and for the last admin key of the library."""

    _check_open(services, by)

    def check(working: list[KeyRecord]) -> None:
        if key_id == by.key_id:
            raise KeyNeeded("You are signed in with this key.")
        if [key.id for key in working if Scope.ADMIN in key.scopes] == [key_id]:
            raise KeyNeeded("This is the last admin key.")

    access.revoke_key(services, key_id=key_id, library=by.library, check=None if anyway else check)


def _check_open(services: Services, by: Principal) -> None:
    """A caller without a key was let in before the first key existed. It may have been created since."""
    if by.key_id is None and access.has_keys(services.database):
        raise KeyMissing("This service requires an API key: the first one has just been created.")
