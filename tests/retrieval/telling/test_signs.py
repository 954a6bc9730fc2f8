"""What the head sees of a sentence: at its offsets, and the same whether the book goes on or ends there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from books.gate import cut
from books.types import Book
from coref.gate import gate
from coref.types import Annotations, MentionKind
from retrieval.index import BookIndex
from retrieval.passages import split
from retrieval.sentences import split as sentences_of
from retrieval.telling.meant import columns_of
from retrieval.telling.sentences import candidates_of
from retrieval.telling.signs import SentenceSigns
from tests.novella import OpenedNovella
from tests.retrieval.conftest import PEOPLE, annotate, make_book

CROWD = 9


def table(book: Book, annotations: Annotations) -> SentenceSigns:
    """Index the sentences of a book as a `BookIndex` does, without a folder."""
    pieces = split(book)
    lines = [
        (s.start, s.end, n) for n, piece in enumerate(pieces) for s in sentences_of(book.text, piece.span)
    ]
    chapters = np.array([piece.chapter for piece in pieces])
    return SentenceSigns(book.text, annotations, np.array(lines, np.int64).reshape(-1, 3), chapters)


def by_sentence(signs: SentenceSigns, character: str) -> dict[int, list[float]]:
    found = signs.of(character)
    return dict(zip(found.sentences.tolist(), columns_of(found).tolist(), strict=True))


def test_offsets_are_those_of_sentences(book: Book, annotations: Annotations) -> None:
    signs = table(book, annotations)
    at = book.text.index("She lived")
    inside, outside = signs.table.sentence_at([at, book.text.index("The Garden")]).tolist()
    assert signs.table.sentence_at([at - 2]).tolist() == [inside - 1], "the full stop before it"
    assert outside == -1, "a heading is no passage"
    (quote,) = annotations.quotes
    assert len(signs.table.sentences_in(quote.span)) == 1


def test_the_sentences_of_a_character_and_those_beside_them(
    index: BookIndex, annotations: Annotations
) -> None:
    found = candidates_of(index, annotations, "tom", upto=None)
    lines = [index.book.text[a:b] for a, b, _ in index.sentences[found.sentences].tolist()]
    present = [line for line, there in zip(lines, found.present, strict=True) if there]
    assert present == ["Tom watched from the gate.", "Tom looked at the letter.", "He seemed afraid of it."]
    assert set(present) < set(lines)
    assert found.certainty[found.present].min() > 0
    assert not found.certainty[~found.present].any()
    assert not len(candidates_of(index, annotations, "nobody", upto=None).sentences)


def test_a_quote_is_spoken_by_somebody(index: BookIndex, annotations: Annotations) -> None:
    found = candidates_of(index, annotations, "ann", upto=None)
    lines = [index.book.text[a:b] for a, b, _ in index.sentences[found.sentences].tolist()]
    assert any(line.startswith("“I will dig") for line in lines)


def test_a_book_without_sentences_or_people() -> None:
    empty = make_book((("Nothing",),))
    found = table(empty, annotate(empty, PEOPLE)).of("ann")
    assert found.signs.shape[0] == 0


def test_a_noun_that_serves_as_a_name_is_one() -> None:
    """The first that the book uses for somebody, whatever follows it; not another noun for them."""
    book = make_book(
        (("Lamps", "The lamplighter sang.", "The lamplighter of Wickersea bent.", "The old man wept."),)
    )
    nouns = ("The lamplighter of Wickersea", "The lamplighter", "The old man")
    signs = table(book, annotate(book, {"will": dict.fromkeys(nouns, MentionKind.NOMINAL)}))
    assert signs.naming("will").tolist() == [True, True, False]


def test_signs_against_a_character_are_seen_together() -> None:
    """None of them speaks against Ann alone: her name, her speech, a pronoun, somebody else."""
    told = ("“I saw Ann there,” said Ann.", "Tom laughed. She laughed.", "She told them that Ann was ill.")
    signs = table(book := make_book((("One", *told),)), annotate(book, PEOPLE))
    number = signs.table.number_of("ann")
    columns = signs._meant(number, signs._signs(number)[0])
    for name, sentence in (
        ("named in own speech", 0),
        ("pronoun after another name", 2),
        ("pronoun before the name", 3),
        ("not there", 1),
    ):
        assert np.flatnonzero(columns[name]).tolist() == [sentence], name
    assert list(signs.of("ann").meant.shape) == [4, len(columns)]


@pytest.mark.parametrize("character", ["ann", "tom"])
def test_later_text_changes_nothing(book: Book, annotations: Annotations, character: str) -> None:
    whole = by_sentence(table(book, annotations), character)
    for paragraph in book.paragraphs:
        upto = paragraph.span.end
        part = by_sentence(table(cut(book, upto), gate(annotations, upto=upto)), character)
        assert part.items() <= whole.items()


def test_a_crowd_that_grows_changes_nothing_before_it() -> None:
    """Who is a main character is decided by what has been read, not by the whole book."""
    names = [f"Person{n}" for n in range(CROWD)]
    early = ("One", "Ann met Tom.", *(f"Tom met {name}." for name in names))
    late = ("Two", *(12 * f"{name} sang. " for name in names))
    whole = make_book((early, late))
    kinds = {name.casefold(): {name: next(iter(PEOPLE["tom"].values()))} for name in names}
    annotations = annotate(whole, {**PEOPLE, **kinds})
    ranked = sorted(annotations.characters, key=lambda c: (-c.mention_count, c.first))
    annotations = replace(annotations, characters=tuple(ranked))
    upto = whole.end_of_chapter(1)
    part = by_sentence(table(cut(whole, upto), gate(annotations, upto=upto)), "ann")
    assert part
    assert part.items() <= by_sentence(table(whole, annotations), "ann").items()


@pytest.mark.soak
def test_nor_in_a_novella(low_water: OpenedNovella) -> None:
    book, annotations, _ = low_water
    signs = table(book, annotations)
    for number in range(1, len(book.chapters), 4):
        upto = book.end_of_chapter(number)
        known = gate(annotations, upto=upto)
        part = table(cut(book, upto), known)
        for character in known.characters[:8]:
            whole = by_sentence(signs, character.id)
            for sentence, row in by_sentence(part, character.id).items():
                assert row == pytest.approx(whole[sentence], abs=1e-5)
