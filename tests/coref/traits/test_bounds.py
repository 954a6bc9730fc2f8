"""For any parse, finding traits terminates, raises nothing, and yields spans inside the text."""

from __future__ import annotations

import os
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books.types import Book, Span
from coref.language.syntax import ROOT, Parse
from coref.traits.finding import LONGEST, find_traits
from coref.types import Annotations, Mention, MentionKind, Quote
from tests.coref.conftest import make_book, person

TAGS = ["NOUN", "PROPN", "PRON", "VERB", "AUX", "ADJ", "ADV", "ADP", "DET", "PUNCT", "PART", "SCONJ", "CCONJ"]
RELATIONS = [
    *(
        "root",
        "nsubj",
        "nsubj:pass",
        "obj",
        "iobj",
        "obl",
        "obl:agent",
        "nmod",
        "nmod:poss",
        "amod",
        "advmod",
    ),
    *("conj", "cc", "xcomp", "ccomp", "advcl", "acl", "acl:relcl", "appos", "aux", "aux:pass", "cop", "mark"),
    *("case", "det", "compound", "compound:prt", "punct", "parataxis", "odd"),
]
WORDS = ["she", "him", "Anna", "who", "not", "never", "no", "to", "if", "had", "was", "go", "going", "went"]
WORDS += [
    "refused",
    "sister",
    "friend",
    "man",
    "proud",
    "too",
    "of",
    "with",
    "by",
    "and",
    "or",
    "?",
    "“",
    "”",
    "’s",
]


def parsed(
    words: list[str], tags: list[str], heads: list[int], relations: list[str], cuts: list[int]
) -> tuple[Book, Parse]:
    starts, at = [], 0
    for word in words:
        starts.append(at)
        at += len(word) + 1
    edges = [0, *cuts, len(words)]
    parse = Parse(
        tuple(starts),
        tuple(start + len(word) for start, word in zip(starts, words, strict=True)),
        tuple((a, b) for a, b in pairwise(edges) if a < b),
        tuple(tags),
        tuple(word.lower() for word in words),
        tuple(heads),
        tuple(relations),
        (False,) * len(words),
    )
    return make_book(" ".join(words)), parse


def annotated(book: Book, parse: Parse, spans: list[Span], quotes: list[Span]) -> Annotations:
    marks = tuple(
        Mention(span, MentionKind.NOMINAL, "ab"[i % 2], book.slice(span))
        for i, span in enumerate(sorted(spans, key=lambda s: (s.start, -s.end)))
    )
    said = tuple(Quote(span, None, None, 1.0) for span in quotes)
    return Annotations("hand/1", (person("a", "A"), person("b", "B")), marks, said)


@st.composite
def anything(draw: st.DrawFn) -> tuple[Book, Parse, Annotations]:
    """Generate heads that point anywhere: in circles, out of the sentence, at themselves."""
    size = draw(st.integers(1, 24))

    def some(values: st.SearchStrategy[object]) -> list[object]:
        return draw(st.lists(values, min_size=size, max_size=size))

    words, tags, relations = (some(st.sampled_from(v)) for v in (WORDS, TAGS, RELATIONS))
    heads = some(st.integers(ROOT, size + 2))
    cuts = sorted(draw(st.sets(st.integers(1, size), max_size=2)))
    book, parse = parsed(words, tags, heads, relations, cuts)  # type: ignore[arg-type]
    spans = st.integers(0, len(book.text) - 1).flatmap(
        lambda a: st.integers(a + 1, len(book.text)).map(lambda b: Span(a, b))
    )
    marks = [Span(parse.starts[i], parse.ends[i]) for i in draw(st.sets(st.integers(0, size - 1)))]
    more = draw(st.lists(spans, max_size=4))
    return book, parse, annotated(book, parse, marks + more, draw(st.lists(spans, max_size=3)))


@given(anything())
@settings(max_examples=400, deadline=None)
def test_any_parse_is_survived(given_: tuple[Book, Parse, Annotations]) -> None:
    book, parse, annotations = given_
    traits = find_traits(book, parse, annotations)
    assert list(traits) == sorted(traits, key=lambda t: t.span)
    assert len({(t.character, t.kind, t.span) for t in traits}) == len(traits)
    for trait in traits:
        assert annotations.character(trait.character)
        assert trait.other != trait.character
        assert trait.span.start in parse.starts
        assert trait.span.end in parse.ends
        assert trait.lemma


def test_no_words_no_traits() -> None:
    book, parse = parsed([], [], [], [], [])
    assert find_traits(book, parse, annotated(book, parse, [], [])) == ()


def hub(size: int, relation: str, tag: str = "VERB") -> tuple[Book, Parse, Annotations]:
    """Return a sentence in which every word depends on the first, and every word refers to somebody."""
    words, tags = ["went"] * size, [tag] * size
    book, parse = parsed(words, tags, [ROOT, *[0] * (size - 1)], ["root", *[relation] * (size - 1)], [])
    return (
        book,
        parse,
        annotated(book, parse, [Span(a, b) for a, b in zip(parse.starts, parse.ends, strict=True)], []),
    )


def chain(size: int, relation: str) -> tuple[Book, Parse, Annotations]:
    words = ["went"] * size
    heads = [ROOT, *range(size - 1)]
    book, parse = parsed(words, ["VERB"] * size, heads, ["root", *[relation] * (size - 1)], [])
    return (
        book,
        parse,
        annotated(book, parse, [Span(a, b) for a, b in zip(parse.starts, parse.ends, strict=True)], []),
    )


@pytest.mark.parametrize(
    "relation", ["conj", "xcomp", "ccomp", "advcl", "acl:relcl", "nsubj", "obj", "appos", "amod"]
)
@pytest.mark.parametrize("shape", [hub, chain])
def test_sentences_without_measure_take_little_time(shape: object, relation: str) -> None:
    values = shape(LONGEST, relation)  # type: ignore[operator]
    began = time.process_time()
    assert len(find_traits(*values)) < 40 * LONGEST
    assert time.process_time() - began < 2


def test_what_is_longer_than_any_sentence_is_passed_over() -> None:
    assert find_traits(*hub(LONGEST, "nsubj", "NOUN"))
    assert find_traits(*hub(LONGEST + 1, "nsubj", "NOUN")) == ()


EWT = os.environ.get("BOOKWORM_TESTS_EWT")


@pytest.mark.skipif(EWT is None, reason="BOOKWORM_TESTS_EWT names no folder with UD English EWT")
@pytest.mark.parametrize("part", ["dev", "test"])
def test_gold_trees(part: str) -> None:
    """Treat every pronoun and name as a person: nothing raises, and the traits are plausible."""
    from coref.training import english_treebank

    words, tags, lemmas, heads, relations, ends = [], [], [], [], [], [0]
    for sentence in english_treebank.read(Path(EWT or ""), part):
        first = len(words)
        words += [w.text for w in sentence]
        tags += [w.tag for w in sentence]
        lemmas += [w.lemma for w in sentence]
        heads += [first + w.head if w.head >= 0 else ROOT for w in sentence]
        relations += [w.relation for w in sentence]
        ends.append(len(words))
    book, parse = parsed(words, tags, heads, relations, ends[1:-1])
    people = [
        Span(a, b)
        for a, b, tag in zip(parse.starts, parse.ends, tags, strict=True)
        if tag in ("PRON", "PROPN")
    ]
    traits = find_traits(book, parse, annotated(book, parse, people, []))
    verbs = sum(tag == "VERB" for tag in tags)
    assert 0.4 * verbs < len({t.span for t in traits}) < 2 * verbs
