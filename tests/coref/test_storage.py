"""Annotations survive the file exactly, and damage is reported."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from books.types import Span
from coref import storage
from coref.errors import AnnotationsDamaged
from coref.language.syntax import Parse
from coref.types import (
    Alias,
    Annotations,
    Character,
    CharacterKind,
    Doubt,
    EntityCategory,
    Mention,
    MentionKind,
    Merge,
    Quote,
    QuoteType,
    Teller,
    Tense,
    Trait,
    TraitKind,
)

DATA = Path(__file__).parent / "data"
OLD = [DATA / "annotations_1.safetensors", DATA / "annotations_2.safetensors"]
"""The story of `conftest` in older formats."""
IDS = ["ann-1", "bob-2", "çé-3"]
ids = st.sampled_from([None, *IDS])
known = st.sampled_from(IDS)
words = st.text(max_size=12)
shares = st.floats(0, 1)
offsets = st.integers(0, 2**30)
spans = st.builds(lambda a, n: Span(a, a + n), offsets, st.integers(0, 2**20))


def some(values: st.SearchStrategy[Any], most: int = 5) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, max_size=most).map(tuple)


characters = st.builds(
    Character,
    id=known,
    name=words,
    aliases=some(st.builds(Alias, words, st.integers(0, 9), st.integers(0, 9)), 3),
    kind=st.sampled_from(CharacterKind),
    pronouns=st.sampled_from([None, "she/her"]),
    mention_count=st.integers(0, 99),
    first=st.integers(0, 99),
)
mentions = st.builds(
    Mention,
    spans,
    st.sampled_from(MentionKind),
    ids,
    words,
    st.sampled_from(EntityCategory),
    st.none() | st.integers(0, 2**30),
    shares,
)
traits = st.builds(
    Trait,
    character=known,
    kind=st.sampled_from(TraitKind),
    span=spans,
    lemma=words,
    other=ids,
    negated=st.booleans(),
    modal=st.none() | words,
    tense=st.none() | st.sampled_from(Tense),
    quoted=st.booleans(),
)


def parsed(rows: list[tuple[str, str, str, int, bool]], cuts: set[int]) -> Parse:
    ends = sorted({c for c in cuts if 0 < c < len(rows)} | ({len(rows)} if rows else set()))
    tags, relations, lemmas, heads, events = zip(*rows, strict=True) if rows else ((),) * 5
    return Parse(
        starts=[10 * i for i in range(len(rows))],
        ends=[10 * i + 3 for i in range(len(rows))],
        sentences=list(zip([0, *ends], ends, strict=False)),
        tags=tags,
        lemmas=lemmas,
        heads=heads,
        relations=relations,
        events=events,
    )


parses = st.builds(
    parsed,
    st.lists(st.tuples(words, words, words, st.integers(-1, 2**30), st.booleans()), max_size=9),
    st.sets(st.integers(1, 9)),
)
values = st.builds(
    Annotations,
    resolver=words,
    characters=st.lists(characters, min_size=3, max_size=3, unique_by=lambda c: c.id).map(tuple),
    mentions=some(mentions),
    quotes=some(st.builds(Quote, spans, ids, ids, shares, st.none() | st.sampled_from(QuoteType))),
    narrator=ids,
    tellers=some(st.builds(Teller, spans, known)),
    merges=some(st.builds(Merge, known, words, words, shares, words, offsets)),
    doubts=some(st.builds(Doubt, known, known, shares, words, offsets)),
    traits=some(traits),
    parse=st.none() | parses,
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


def test_more_kinds_of_names_than_a_byte_tells_apart(tmp_path: Path) -> None:
    rows = [("X", f"relation{i}", f"lemma{i % 300}", -1, False) for i in range(700)]
    value = Annotations("x", (), (), (), parse=parsed(rows, {300}))
    storage.save(value, tmp_path / "a")
    assert storage.load(tmp_path / "a") == value


def test_a_parse_is_its_words_and_nothing_else(tmp_path: Path) -> None:
    rows = [("NOUN", "root", "word", -1, False)] * 3
    one, other = parsed(rows, {2}), parsed([*rows[:2], ("NOUN", "root", "wood", -1, False)], {2})
    assert one == parsed(rows, {2})
    assert one != other
    assert one != parsed(rows, {1})
    storage.save(Annotations("x", (), (), (), parse=one), tmp_path / "a")
    loaded = storage.load(tmp_path / "a").parse
    assert loaded is not None
    assert list(loaded.sentences) == [(0, 2), (2, 3)]
    assert list(loaded.sentences[1:]) == [(2, 3)]
    assert (loaded.lemmas[-1], loaded.sentences[-1], loaded.events[0]) == ("word", (2, 3), False)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(AnnotationsDamaged, match="cannot be read"):
        storage.load(tmp_path / "none")


MARK = Mention(Span(0, 1), MentionKind.PROPER, None)


@pytest.mark.parametrize(
    "change",
    [
        {"mentions": (replace(MARK, character="ghost"),)},
        {"quotes": (Quote(Span(0, 1), "ghost", None, 1.0),)},
        {"tellers": (Teller(Span(0, 1), "ghost"),)},
        {"merges": (Merge("ghost", "A", "B", 1.0, ""),)},
        {"doubts": (Doubt("ann", "ghost", 1.0, ""),)},
        {"traits": (Trait("ghost", TraitKind.DOES, Span(0, 1), "go"),)},
        {"traits": (Trait("ann", TraitKind.KIN, Span(0, 1), "sister", other="ghost"),)},
    ],
)
def test_what_names_nobody_known_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    ann = Character("ann", "Ann", (), CharacterKind.PERSON, None, 0, 0)
    with pytest.raises(ValueError, match="ghost"):
        storage.save(replace(Annotations("x", (ann,), (), ()), **change), tmp_path / "a")


def test_an_entity_counts_from_nought(tmp_path: Path) -> None:
    value = Annotations("x", (), (replace(MARK, entity=-1),), ())
    with pytest.raises(ValueError, match="-1"):
        storage.save(value, tmp_path / "a")


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
def test_older_formats_are_read_as_far_as_they_go(
    old: Path, annotations: Annotations, tmp_path: Path
) -> None:
    assert storage.load(old) == annotations
    assert not storage.is_current(old)
    storage.save(annotations, tmp_path / "new")
    assert storage.is_current(tmp_path / "new")


def test_what_is_no_such_file_is_not_current(tmp_path: Path) -> None:
    assert not storage.is_current(tmp_path / "none")
    (tmp_path / "garbled").write_bytes(b"\x08\0\0\0\0\0\0\0{}......")
    assert not storage.is_current(tmp_path / "garbled")
