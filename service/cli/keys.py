"""Commands for API keys: `keys create`, `keys list`, `keys revoke`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from service.cli import output
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from db.types import KeyRecord

keys = typer.Typer(help="Create, list and revoke API keys.", no_args_is_help=True)


@keys.command()
def create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name for the key.")],
    scope: Annotated[
        str,
        typer.Option("--scope", help="Access: read, write or admin. Each includes the previous one."),
    ] = "read",
    rate: Annotated[int | None, typer.Option("--rate", min=1, help="Maximum requests per minute.")] = None,
    quota: Annotated[int | None, typer.Option("--quota", min=1, help="Maximum requests per day.")] = None,
    json: JsonFlag = False,
) -> None:
    """Create a key for the library given by `--library`. The key is shown only once."""
    from db.types import Scope
    from service import access

    if scope not in set(Scope):
        raise typer.BadParameter(f"--scope must be one of {', '.join(Scope)}.")
    session = Session.of(context)
    with session.services() as services:
        record, secret = access.create_key(
            services,
            name=name,
            library=session.library,
            scopes=[Scope(scope)],
            rate_per_minute=rate or session.settings.default_rate_per_minute,
            quota_per_day=quota or session.settings.default_quota_per_day,
        )
    if json:
        from service.wire.keys import KeyMadeOut, KeyOut

        output.write_json(KeyMadeOut(secret=secret, key=KeyOut.of(record, used=None)))
        return
    output.out.print(secret, soft_wrap=True)
    output.tell(
        f"Copy the key: it is not shown again. Send it as `Authorization: Bearer …`. Its id is {record.id}."
    )


@keys.command("list")
def list_(context: typer.Context, json: JsonFlag = False) -> None:
    """List the keys, without their secrets."""
    from service import access

    with Session.of(context).services() as services:
        found = access.list_keys(services)
    if json:
        from service.wire.keys import KeyOut, KeyPage

        items = [KeyOut.of(key, used=None) for key in found]
        output.write_json(KeyPage(items=items, next=None, guarded=bool(found)))
    elif found:
        show_keys(found)
    else:
        output.tell("There are no keys. The service is open and listens on loopback only.")


@keys.command()
def revoke(
    context: typer.Context,
    key_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the key, from `keys list`.")],
    json: JsonFlag = False,
) -> None:
    """Revoke a key. It takes effect at once and cannot be undone."""
    from service import access

    with Session.of(context).services() as services:
        access.revoke_key(services, key_id=key_id)
    if json:
        output.write_json({"revoked": key_id})
    else:
        output.tell(f"{key_id} was revoked.")


def show_keys(records: list[KeyRecord]) -> None:
    table = output.table("Id", "Name", "Library", "Scopes", "Per minute", "Per day", "Status")
    for key in records:
        state = f"revoked {key.revoked:%Y-%m-%d}" if key.revoked else "active"
        scopes = "+".join(sorted(key.scopes))
        limits = (str(key.rate_per_minute), str(key.quota_per_day))
        table.add_row(key.id, Text(key.name), key.library, scopes, *limits, state)
    output.out.print(table)
