"""For any text, the resolver terminates, keeps its promises about spans and counts, and can be stopped."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books.types import Book
from coref.export.document import to_json
from coref.language.word_lists import same
from coref.registry import make_resolver
from coref.storage import load, save
from coref.types import Annotations, MentionKind
from tests.coref.conftest import make_book
from tests.coref.test_rules_small import FAMILY

PIECES = """
Tom Mrs. Hale Miss Elizabeth Vane Lizzy Captain the The a old said asked he she him her I you my They brother
lamplighter dog barked “ ” ‘ ’ " ' . . , , ? ! — -- ; : in at Street and was looked _ * Mr St. O’Brien HALE
1884 Dear Yours, Chapter é 漢字 🙂 ’s 'll de von Duke of Guild Misses
"""
WORDS = [*PIECES.split(), "\n\n", "\n\n", "\n"]
texts = st.lists(st.sampled_from(WORDS), max_size=120).map(" ".join)


def check_promises(book: Book, found: Annotations) -> None:
    ids = {c.id for c in found.characters}
    assert len(ids) == len(found.characters)
    for mention in found.mentions:
        assert 0 <= mention.span.start < mention.span.end <= len(book.text)
        assert book.slice(mention.span) == mention.surface
        assert mention.character is None or mention.character in ids
    assert [m.key for m in found.mentions] == sorted(m.key for m in found.mentions)
    for one, other in zip(found.quotes, found.quotes[1:], strict=False):
        assert one.span.end <= other.span.start
    for quote in found.quotes:
        assert {quote.speaker, quote.addressee} <= ids | {None}
        assert 0 <= quote.confidence <= 1
        assert (quote.speaker is None) == (quote.confidence == 0)
    counts = Counter(m.character for m in found.mentions)
    for character in found.characters:
        assert character.mention_count == counts[character.id] > 0
        assert same(character.name) in {same(a.text) for a in character.aliases}
        assert character.first == min(m.span.start for m in found.mentions if m.character == character.id)
    order = [-c.mention_count for c in found.characters]
    assert order == sorted(order)
    assert found.narrator is None or found.narrator in ids


@given(texts)
@settings(max_examples=80, deadline=None)
def test_promises_hold_on_any_text(text: str) -> None:
    book = make_book(text)
    check_promises(book, make_resolver("rules").annotate(book))


@given(st.text(max_size=300))
@settings(max_examples=40, deadline=None)
def test_any_characters_at_all(text: str) -> None:
    book = make_book(text)
    check_promises(book, make_resolver("rules").annotate(book))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Chapter 1\n\nChapter 2\n\nChapter 3\n",
        "It rained. It rained all day, and nobody came.\n",
        "TOM CAME IN. “WHO IS THERE?” SAID MRS. HALE. TOM WAS TIRED.\n\n" * 5,
        "O rose, thou art sick!\nThe invisible worm\nThat flies in the night,\n\n" * 4,
        "“" * 500,
        "‘’'\"" * 300,
        "A. B. C. D. E. F. G. H. " * 100,
        "Mr. " * 300,
        "Tom " * 300,
        "— " * 300,
    ],
    ids=[
        "empty",
        "headings",
        "nobody",
        "capitals",
        "poem",
        "open",
        "marks",
        "initials",
        "titles",
        "one",
        "dashes",
    ],
)
def test_odd_books(text: str) -> None:
    book = make_book(text)
    check_promises(book, make_resolver("rules").annotate(book))


def test_a_book_with_nobody_in_it_has_no_characters() -> None:
    book = make_book("It rained. It rained all day, and the street was empty.\n")
    assert make_resolver("rules").annotate(book).characters == ()


def test_twice_the_same() -> None:
    book = make_book(FAMILY)
    one, other = (make_resolver("rules").annotate(book) for _ in range(2))
    assert one == other
    assert to_json(book, one) == to_json(book, other)


def test_round_trip_through_the_file(tmp_path: Path) -> None:
    book = make_book(FAMILY)
    found = make_resolver("rules").annotate(book)
    save(found, tmp_path / "a")
    assert load(tmp_path / "a") == found


def test_progress_grows_to_one_and_can_stop_the_work() -> None:
    book = make_book(FAMILY * 3)
    told: list[float] = []
    make_resolver("rules").annotate(book, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0

    def stop(share: float) -> None:
        if share > 0.4:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        make_resolver("rules").annotate(book, progress=stop)


def test_time_grows_with_length_and_not_faster() -> None:
    """Allow about thirty times as long for eight times the text: a quadratic scan would take 64 times."""
    page = FAMILY.replace("Chapter 1\n\n", "")

    def seconds(copies: int) -> float:
        """Return the best of three, because other programs on the machine only add time."""
        book = make_book("Chapter 1\n\n" + page * copies)
        spent = []
        for _ in range(3):
            started = time.process_time()
            make_resolver("rules").annotate(book)
            spent.append(time.process_time() - started)
        return min(spent)

    assert seconds(400) < 30 * max(seconds(50), 0.02)


def test_many_names_do_not_square() -> None:
    syllables = ["Ba", "Ke", "Lo", "Mu", "Ri", "Ta", "Vo", "Zu", "Da", "Fe"]
    names = [f"{a}{b.lower()}n{c.lower()}" for a in syllables for b in syllables for c in syllables]
    text = "Chapter 1\n\n" + "\n\n".join(
        f"“Yes,” said {n} Smith. Then {n} laughed at Mr. Smith." for n in names
    )
    book = make_book(text)
    started = time.process_time()
    found = make_resolver("rules").annotate(book)
    assert time.process_time() - started < 10
    check_promises(book, found)


def test_every_mention_has_a_kind_and_pronouns_are_pronouns() -> None:
    book = make_book(FAMILY)
    found = make_resolver("rules").annotate(book)
    pronouns = {m.surface.lower() for m in found.mentions if m.kind is MentionKind.PRONOUN}
    assert {"he", "she", "you", "i"} <= pronouns
    assert not pronouns & {"tom", "brother"}
