"""Mentions mapped to passages: every sign counts where it belongs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from books.types import Book, Span
from coref.types import Annotations, Trait, TraitKind
from retrieval.index import BookIndex


def test_counts_by_passage(index: BookIndex, annotations: Annotations) -> None:
    postings = index.postings(annotations)
    assert postings.counts(["ann"], visible=8, upto=None).tolist() == [3, 0, 1, 0, 2, 0, 0, 2]
    assert postings.counts(["tom"], visible=8, upto=None).tolist() == [0, 0, 0, 1, 0, 2, 0, 0]
    assert postings.counts(["ann", "tom"], visible=8, upto=None).sum() == 11
    assert postings.counts(["nobody"], visible=8, upto=None).sum() == 0


def test_counts_stop_at_the_gate(book: Book, index: BookIndex, annotations: Annotations) -> None:
    upto = book.text.index("her uncle")
    counted = index.postings(annotations).counts(["ann"], visible=index.visible(upto), upto=upto)
    assert counted.tolist() == [3, 0, 1, 0]


def test_signs(index: BookIndex, annotations: Annotations) -> None:
    signs = index.postings(annotations).signs(["ann"], visible=8, upto=None)
    assert signs.proper.tolist() == [2, 0, 1, 0, 1, 0, 0, 2]
    assert signs.pronoun.tolist() == [1, 0, 0, 0, 1, 0, 0, 0]
    assert signs.described[0] > 0  # "Ann Lee was a", "She lived"
    assert signs.described.tolist()[1:] == [0] * 7
    assert signs.related.tolist() == [3, 0, 0, 0, 2, 0, 0, 2]  # "girl", "her uncle", "Lady Moor"
    assert signs.spoken.tolist() == [0, 0, 1, 0, 0, 0, 0, 0]
    assert signs.firsts.tolist() == [1, 0, 0, 0, 0, 0, 0, 0]


def trait(book: Book, kind: TraitKind, words: str, who: str, **more: Any) -> Trait:
    at = book.text.index(words)
    return Trait(who, kind, Span(at, at + len(words)), words, **more)


def test_what_is_told_of_them_counts_where_it_is_told(
    book: Book, index: BookIndex, annotations: Annotations
) -> None:
    """Traits count beside the cues, not on top of them: both come from the same words."""
    told = replace(
        annotations,
        traits=(
            trait(book, TraitKind.IS, "tall girl", "ann"),
            trait(book, TraitKind.DOES, "dig", "ann"),
            trait(book, TraitKind.IS, "watched", "tom", quoted=True),
            trait(book, TraitKind.IS, "white", "ann", modal="might"),
            trait(book, TraitKind.KIN, "bees slept", "tom", other="ann"),
        ),
    )
    bare = index.postings(annotations).signs(["ann"], visible=8, upto=None)
    ann = index.postings(told).signs(["ann"], visible=8, upto=None)
    tom = index.postings(told).signs(["tom"], visible=8, upto=None)
    assert ann.described.tolist() == bare.described.tolist()
    assert (ann.related - bare.related).tolist() == [0, 0, 0, 0, 0, 0, 1, 0]
    assert (tom.described.tolist(), tom.related.tolist()) == ([0, 0, 0, 1, 0, 2, 0, 0], [0] * 6 + [1, 0])
    upto = book.text.index("slept")
    gated = index.postings(told).signs(["tom"], visible=index.visible(upto), upto=upto)
    assert (gated.described.sum(), gated.related.sum()) == (3, 0)


def test_the_first_time_someone_is_named_counts_beside_the_first_mention(
    index: BookIndex, annotations: Annotations
) -> None:
    signs = index.postings(annotations).signs(["ann", "tom"], visible=8, upto=None)
    assert signs.firsts.tolist() == [1, 0, 0, 1, 0, 0, 0, 0]


def test_the_same_annotations_are_laid_out_once(index: BookIndex, annotations: Annotations) -> None:
    assert index.postings(annotations) is index.postings(annotations)
