"""The slowest requests to this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service import access
from service.access import Principal
from service.observability import slowest
from service.observability.slowest import RouteTimes, Slow
from service.services import Services

HOUR_SECONDS: Final = slowest.SLOT_SECONDS * slowest.SLOTS


@dataclass(frozen=True, slots=True)
class Requests:
    slowest: tuple[Slow, ...]
    routes: tuple[RouteTimes, ...]


def looked_at(services: Services, by: Principal, *, limit: int) -> Requests:
    """Single requests only from keys of the library of the caller and without a key; totals over all."""
    own = {None, *(key.id for key in access.list_keys(services, library=by.library))}
    slow = [one for one in slowest.SLOWEST.listed() if one.key_id in own]
    return Requests(tuple(slow[:limit]), tuple(slowest.ROUTES.listed()))
