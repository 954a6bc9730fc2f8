"""Cursors go round and come back, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.http import pagination
from service.http.errors import CursorInvalid

LIST = "/books"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80))
def test_round_trip(position: str) -> None:
    assert pagination.decode(pagination.encode(position, of=LIST), of=LIST) == position


@given(st.text(max_size=60))
def test_what_the_service_did_not_make_is_refused(cursor: str) -> None:
    try:
        position = pagination.decode(cursor, of=LIST)
    except CursorInvalid:
        return
    assert pagination.encode(position or "", of=LIST) == cursor.rstrip("=")


def test_a_changed_cursor_is_refused() -> None:
    cursor = pagination.encode("bk_0001", of=LIST)
    for at in range(len(cursor)):
        other = cursor[:at] + ("A" if cursor[at] != "A" else "B") + cursor[at + 1 :]
        with pytest.raises(CursorInvalid):
            pagination.decode(other, of=LIST)


@pytest.mark.parametrize("position", ["bk_1", "-3", "1e9", "٣", "1" * 13])
def test_a_number_is_wanted_where_one_is_wanted(position: str) -> None:
    with pytest.raises(CursorInvalid):
        pagination.decode_number(pagination.encode(position, of=LIST), of=LIST)


def test_pages_tile_the_list() -> None:
    rows, seen, cursor = list(range(23)), [], None
    for _ in range(10):
        start = pagination.decode_number(cursor, of=LIST)
        items, cursor = pagination.page(
            rows[start : start + 6], limit=5, position=lambda n: str(n + 1), of=LIST
        )
        seen += items
        if cursor is None:
            break
    assert seen == rows


def test_an_exact_page_is_the_last() -> None:
    assert pagination.page([1, 2, 3], limit=3, position=str, of=LIST) == ([1, 2, 3], None)
