"""API keys on the command line."""

from __future__ import annotations

from pathlib import Path

from service.cli.exits import Exit
from tests.cli.conftest import Bookworm


def test_a_key_lives_and_dies(bookworm: Bookworm, tmp_path: Path) -> None:
    made = bookworm(
        "keys", "create", "laptop", "--scope", "write", "--rate", "7", "--json", data_dir=tmp_path
    ).json
    key = made["key"]
    assert made["secret"].startswith("bw_")
    assert (key["rate_per_minute"], key["scopes"], key["library"]) == (7, ["read", "write"], "local")
    listed = bookworm("keys", "list", "--json", data_dir=tmp_path)
    assert (listed.json["items"], listed.json["guarded"]) == ([key], True)
    assert made["secret"] not in listed.out
    assert bookworm("keys", "revoke", key["id"], data_dir=tmp_path).status == Exit.OK
    assert "revoked" in bookworm("keys", "list", data_dir=tmp_path).out
    again = bookworm("keys", "revoke", key["id"], "--json", data_dir=tmp_path)
    assert (again.status, again.json["code"]) == (Exit.NOT_FOUND, "key_unknown")


def test_the_secret_stands_alone_on_stdout(bookworm: Bookworm, tmp_path: Path) -> None:
    """So that `KEY=$(bookworm keys create x)` works."""
    ran = bookworm("keys", "create", "x", data_dir=tmp_path)
    assert ran.out.strip().startswith("bw_")
    assert len(ran.out.split()) == 1


def test_scopes_are_known_words(bookworm: Bookworm, tmp_path: Path) -> None:
    ran = bookworm("keys", "create", "x", "--scope", "everything", "--json", data_dir=tmp_path)
    assert (ran.status, ran.json["code"]) == (Exit.USAGE, "usage")
    assert "admin" in ran.json["detail"]
