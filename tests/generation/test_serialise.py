from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from books.types import Span
from coref.types import Alias, Character, CharacterKind
from generation import serialise
from generation.types import (
    Category,
    Citation,
    Claim,
    Compared,
    Fact,
    Label,
    NamedSpan,
    Portrait,
    Prisma,
    Provenance,
    Reference,
    Sentence,
    StatedFact,
    Strategy,
    Task,
    Usage,
    Verdict,
)  # fmt: skip

texts = st.text(max_size=30)
numbers = st.integers(0, 10**7)
spans = st.tuples(numbers, numbers).map(lambda pair: Span(min(pair), max(pair)))
shares = st.floats(0, 1)
maybe = st.none() | texts
citations = st.lists(st.builds(Citation, spans, numbers), max_size=3).map(tuple)
named = st.lists(st.builds(NamedSpan, spans, texts), max_size=3).map(tuple)
aliases = st.lists(st.builds(Alias, texts, numbers, numbers), max_size=3).map(tuple)
characters = st.builds(
    Character, texts, texts, aliases, st.sampled_from(CharacterKind), maybe, numbers, numbers
)
sentences = st.builds(Sentence, texts, citations, maybe, st.lists(texts, max_size=2).map(tuple))
claims = st.builds(
    Claim,
    texts,
    st.sampled_from(Category),
    numbers,
    spans,
    maybe,
    citations,
    people=named,
    quoted=st.booleans(),
)
verdicts = st.builds(Verdict, st.sampled_from(Label), shares, citations, texts)
compared = st.builds(Compared, numbers, numbers, numbers, numbers)
references = st.builds(
    Reference, texts, compared, st.dictionaries(st.sampled_from(Category), compared, max_size=3)
)
prismas = st.builds(
    Prisma,
    numbers,
    numbers,
    st.dictionaries(st.sampled_from(Category), st.tuples(numbers, numbers)),
    st.none() | references,
    numbers,
    st.none() | numbers,
)
provenances = st.builds(Provenance, texts, texts, texts, texts, texts, numbers, st.none() | numbers, numbers)
portraits = st.builds(
    Portrait,
    st.sampled_from(Task),
    st.lists(characters, max_size=2).map(tuple),
    st.lists(sentences, max_size=3).map(tuple),
    st.lists(st.builds(Fact, claims, verdicts, st.none() | st.sampled_from(Label)), max_size=3).map(tuple),
    prismas,
    provenances,
    st.builds(Usage, numbers, numbers, numbers, shares),
)


@given(portraits)
def test_a_portrait_comes_back_exactly_through_json(portrait: Portrait) -> None:
    assert serialise.from_dict(json.loads(json.dumps(serialise.to_dict(portrait)))) == portrait


def test_what_an_earlier_version_kept_is_read_and_written_again_byte_for_byte() -> None:
    kept = Path(__file__).with_name("kept_portrait.json").read_text("utf-8").strip()
    portrait = serialise.from_dict(json.loads(kept))
    assert portrait.provenance.strategy is Strategy.SUMMARY
    assert portrait.facts[1].overruled is Label.SUPPORTED
    assert portrait.prisma.reference is not None
    assert json.dumps(serialise.to_dict(portrait)) == kept
    told = serialise.reference_to_dict(portrait.prisma.reference)
    assert told == json.loads(kept)["prisma"]["reference"]
    assert serialise.reference_from_dict(told) == portrait.prisma.reference


def test_what_a_sentence_was_composed_from_is_not_kept() -> None:
    stated = (StatedFact("Ann left.", Category.EVENT, Span(0, 9), "ann"),)
    kept = serialise.from_dict(json.loads(Path(__file__).with_name("kept_portrait.json").read_text("utf-8")))
    told = serialise.to_dict(replace(kept, sentences=(Sentence("Ann left.", (), stated=stated),)))
    (sentence,) = told["sentences"]
    assert sentence["text"] == "Ann left."
    assert "stated" not in sentence


@given(portraits)
def test_every_field_of_a_portrait_is_written(portrait: Portrait) -> None:
    assert set(serialise.to_dict(portrait)) == set(Portrait.__slots__)


@given(portraits)
def test_portraits_of_before_still_load(portrait: Portrait) -> None:
    """An old portrait has no overrulings, no comparison, no chapter and no lines."""
    kept = serialise.to_dict(portrait)
    del kept["chapter"], kept["question"]
    for sentence in kept["sentences"]:
        del sentence["line"]
    for fact in kept["facts"]:
        del fact["overruled"], fact["claim"]["quoted"]
        fact["claim"] |= {"counted": None, "composed": True}
    del kept["prisma"]["reference"], kept["prisma"]["overruled"], kept["prisma"]["decided"]
    read = serialise.from_dict(json.loads(json.dumps(kept)))
    assert [f.overruled for f in read.facts] == [None] * len(portrait.facts)
    assert (read.prisma.reference, read.prisma.overruled, read.prisma.decided) == (None, 0, None)
    assert read.sentences == portrait.sentences
