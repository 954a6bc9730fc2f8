"""API keys. Only the response to their creation contains the secret."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from db.types import KeyRecord, Scope
from service.access import NAME_MOST, Principal
from service.wire.shapes import Out, Page

_RATE_MOST: Final = 1_000_000
_QUOTA_MOST: Final = 1_000_000_000


class KeyIn(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=NAME_MOST, description="A name for the key.")
    scopes: list[Scope] = Field(
        default=[Scope.READ],
        min_length=1,
        max_length=len(Scope),
        description="Access: read, write or admin. Each includes the previous ones. "
        "The first key of a service must be an admin key.",
    )
    rate_per_minute: int | None = Field(
        default=None,
        ge=1,
        le=_RATE_MOST,
        strict=True,
        description="Requests per minute; null for the default.",
    )
    quota_per_day: int | None = Field(
        default=None, ge=1, le=_QUOTA_MOST, strict=True, description="Requests per day; null for the default."
    )


class KeyOut(Out):
    id: str = Field(description="Not the secret: it names the key in lists and when it is revoked.")
    name: str
    library: str = Field(description="The library that it opens.")
    scopes: list[Scope] = Field(description="Scopes, weakest first.")
    rate_per_minute: int = Field(description="Requests that it may make in a minute.")
    quota_per_day: int = Field(description="Requests that it may make from midnight to midnight UTC.")
    created: datetime
    revoked: datetime | None = Field(description="When it was revoked; null if it is active.")
    last_used: datetime | None = Field(description="Null if it was never used.")
    used_today: int = Field(description="Requests since midnight UTC, except those of the last second.")
    yours: bool = Field(description="Whether this request uses the key.")

    @classmethod
    def of(cls, key: KeyRecord, *, used: str | None) -> KeyOut:
        """`used` is the id of the key of the caller."""
        scopes = [scope for scope in Scope if scope in key.scopes]
        return cls.like(key, scopes=scopes, yours=key.id == used)


class KeyMadeOut(Out):
    secret: str = Field(
        description="The key itself. It is shown only once, because only its hash is stored. "
        "Send it as `Authorization: Bearer …` or in `X-API-Key`."
    )
    key: KeyOut


class KeyPage(Page[KeyOut]):
    guarded: bool = Field(
        description="False until the first key is created. Until then the service is open and listens on "
        "loopback only."
    )


class ScopesOut(Out):
    scopes: list[Scope] = Field(description="Scopes, weakest first.")

    @classmethod
    def of(cls, principal: Principal) -> ScopesOut:
        return cls(scopes=[scope for scope in Scope if scope in principal.scopes])
