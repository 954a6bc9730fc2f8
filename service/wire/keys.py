"""API keys, without their secrets; and once with it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from db.types import KeyRecord, Scope
from service.access import NAME_MOST
from service.wire.shapes import Out, Page

_RATE_MOST: Final = 1_000_000
_QUOTA_MOST: Final = 1_000_000_000


class KeyIn(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=NAME_MOST, description="What you will know it by.")
    scopes: list[Scope] = Field(
        default=[Scope.READ],
        min_length=1,
        max_length=len(Scope),
        description="What it may do: read, write or admin; each includes the ones before. "
        "The first key of a service must be an admin's.",
    )
    rate_per_minute: int | None = Field(
        default=None, ge=1, le=_RATE_MOST, strict=True, description="Requests a minute; null: as set up."
    )
    quota_per_day: int | None = Field(
        default=None, ge=1, le=_QUOTA_MOST, strict=True, description="Requests a day; null: as set up."
    )


class KeyOut(Out):
    id: str
    name: str
    scopes: list[Scope] = Field(description="Weakest first.")
    rate_per_minute: int
    quota_per_day: int
    created: datetime
    revoked: datetime | None = Field(description="Since when it does not work any more; null while it does.")
    last_used: datetime | None
    used_today: int = Field(description="Requests since midnight UTC, but for the last second's.")
    yours: bool = Field(description="Whether it is the key of this very call.")

    @classmethod
    def of(cls, key: KeyRecord, *, used: str | None) -> KeyOut:
        """`used`: the id of the key that the caller holds."""
        return cls(
            id=key.id,
            name=key.name,
            scopes=[scope for scope in Scope if scope in key.scopes],
            rate_per_minute=key.rate_per_minute,
            quota_per_day=key.quota_per_day,
            created=key.created,
            revoked=key.revoked,
            last_used=key.last_used,
            used_today=key.used_today,
            yours=key.id == used,
        )


class KeyMadeOut(Out):
    secret: str = Field(
        description="The key itself, told this once: only a hash of it is kept. "
        "Send it as `Authorization: Bearer …` or in `X-API-Key`."
    )
    key: KeyOut


class KeyPage(Page[KeyOut]):
    guarded: bool = Field(
        description="False while no key was ever made: the service is open, on loopback only, "
        "and the first key shuts it."
    )
