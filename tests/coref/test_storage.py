"""Annotations survive the file exactly, and a damaged file says so."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from books.types import Span
from coref import storage
from coref.errors import AnnotationsDamaged
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind, Quote

IDS = ["ann-1", "bob-2", "çé-3"]
ids = st.sampled_from([None, *IDS])
words = st.text(max_size=12)
spans = st.builds(lambda a, n: Span(a, a + n), st.integers(0, 2**30), st.integers(0, 2**20))
characters = st.builds(
    Character,
    id=st.sampled_from(IDS),
    name=words,
    aliases=st.lists(st.builds(Alias, words, st.integers(0, 9), st.integers(0, 9)), max_size=3).map(tuple),
    kind=st.sampled_from(CharacterKind),
    pronouns=st.sampled_from([None, "she/her"]),
    mention_count=st.integers(0, 99),
    first=st.integers(0, 99),
)
people = st.lists(characters, min_size=3, max_size=3, unique_by=lambda c: c.id).map(tuple)
values = st.builds(
    Annotations,
    resolver=words,
    characters=people,
    mentions=st.lists(st.builds(Mention, spans, st.sampled_from(MentionKind), ids, words), max_size=6).map(
        tuple
    ),
    quotes=st.lists(st.builds(Quote, spans, ids, ids, st.floats(0, 1)), max_size=4).map(tuple),
    narrator=ids,
)


@given(values)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_round_trip_is_exact(tmp_path: Path, value: Annotations) -> None:
    path = tmp_path / storage.FILE
    storage.save(value, path)
    assert storage.load(path) == value


def test_same_annotations_same_bytes(tmp_path: Path, annotations: Annotations) -> None:
    for name in ("a", "b"):
        storage.save(annotations, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]


def test_every_truncation_and_bit_flip_is_noticed(tmp_path: Path, annotations: Annotations) -> None:
    path = tmp_path / storage.FILE
    storage.save(annotations, path)
    good = path.read_bytes()
    for at in range(0, len(good), 97):
        path.write_bytes(good[:at])
        with pytest.raises(AnnotationsDamaged):
            storage.load(path)
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x15]) + good[at + 1 :])
        with suppress(AnnotationsDamaged):
            assert storage.load(path) == annotations  # only a byte of padding may go unnoticed


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(AnnotationsDamaged, match="cannot be read"):
        storage.load(tmp_path / "none")


def test_a_mention_of_nobody_known_is_refused(tmp_path: Path) -> None:
    value = Annotations("x", (), (Mention(Span(0, 1), MentionKind.PROPER, "ghost"),), ())
    with pytest.raises(ValueError, match="ghost"):
        storage.save(value, tmp_path / "a")
