"""Plays: the labels are the speakers, and everybody is one character under all their labels."""

from __future__ import annotations

import pytest

from books.reading import read
from books.types import Book, Exclusion, Part, Span
from coref.registry import make_resolver
from coref.types import Annotations, Character, CharacterKind, MentionKind
from tests.books.shape.play_texts import FOLIO, HAMLET, MANNERS, PYGMALION, play
from tests.coref.conftest import make_book


def _annotate(text: str) -> tuple[Book, Annotations]:
    book = read(text.encode(), name="Play")
    assert book.play is not None
    found = make_resolver("rules").annotate(book)
    assert all(book.slice(m.span) == m.surface for m in found.mentions)
    return book, found


def _named(found: Annotations, name: str) -> Character:
    return next(c for c in found.characters if c.name == name)


def _name(found: Annotations, who: str | None) -> str | None:
    character = found.character(who or "")
    return character.name if character else None


def _speaker(book: Book, found: Annotations, words: str) -> str | None:
    quote = next(q for q in found.quotes if words in book.slice(q.span))
    return _name(found, quote.speaker)


def _who(book: Book, found: Annotations, context: str, word: str) -> str | None:
    at = book.text.index(context) + context.index(word)
    return _name(found, next(m.character for m in found.mentions if m.span.start == at and m.surface == word))


def _scene(*said: str, head: str = "ACT I") -> str:
    return head + "\n\nEnter all.\n\n" + "\n\n".join(said * (1 + 12 // len(said))) + "\n"


@pytest.mark.parametrize("manner", [m for m in MANNERS if m != "Chinese"])
def test_every_speech_is_its_labels(manner: str) -> None:
    book, found = _annotate(MANNERS[manner][0])
    assert book.play is not None
    for speech in book.play.speeches:
        label = book.slice(speech.label).rstrip(".").casefold()
        inside = [q for q in found.quotes if speech.span.covers(q.span)]
        assert inside
        for quote in inside:
            shown = (_name(found, quote.speaker) or "").casefold().replace(".", "")
            assert shown.startswith(label.replace(".", "")) if label != "all" else not shown
            assert quote.confidence == (0.0 if label == "all" else 1.0)


def test_labels_are_mentions_without_their_stop() -> None:
    book, found = _annotate(HAMLET)
    assert book.play is not None
    label = book.play.speeches[0].label
    mention = next(m for m in found.mentions if m.span.start == label.start)
    assert (mention.kind, mention.surface) == (MentionKind.PROPER, "BARNARDO")


def test_what_is_done_on_stage_is_not_spoken() -> None:
    book, found = _annotate(HAMLET)
    spoken = [book.slice(q.span) for q in found.quotes]
    assert "A little more than kin, and less than kind." in spoken
    assert not any("Aside" in said or "Re-enter" in said for said in spoken)
    assert _speaker(book, found, "But, soft, behold!") == "Horatio"


def test_names_are_shown_as_they_read_in_a_sentence() -> None:
    _, found = _annotate(PYGMALION)
    assert {"the Flower Girl", "Mrs. Pearce", "Higgins"} <= {c.name for c in found.characters}
    assert "Higgins" in {a.text for a in _named(found, "Higgins").aliases}


def test_labels_that_are_cut_short_are_one_with_the_name_they_begin() -> None:
    book, found = _annotate(FOLIO)
    assert {"Bar", "Barn", "Barnardo"} <= {a.text for a in _named(found, "Barnardo").aliases}
    assert _speaker(book, found, "Friends to this ground") == "Horatio"
    assert not any(c.name in ("Ham", "Hor", "Fran") for c in found.characters)


def test_a_label_that_may_be_cut_short_from_two_names_stays_apart() -> None:
    text = _scene(
        "  Mar. The tide is in, Margaret.", "  Marg. I hear you, Marcus and Margaret both.", "  Ad. No."
    )
    _, found = _annotate(text)
    assert "Mar" in {c.name for c in found.characters}


def test_one_label_that_begins_another_is_somebody_else() -> None:
    text = _scene("ANN. The tide is in.", "ANNABEL. I never hear it.")
    _, found = _annotate(text)
    assert {"Ann", "Annabel"} <= {c.name for c in found.characters}


def test_first_and_second_are_two_persons_and_all_is_nobody() -> None:
    text = _scene("FIRST CLOWN. The tide is in.", "SECOND CLOWN. I never hear it.", "ALL. We are drowned.")
    book, found = _annotate(text)
    assert {c.name for c in found.characters} == {"First Clown", "Second Clown"}
    assert _speaker(book, found, "We are drowned") is None


def test_two_names_in_a_label_are_both_mentioned_and_neither_is_sure_to_speak() -> None:
    book, found = _annotate(HAMLET)
    at = book.text.index("HORATIO and BARNARDO.")
    named = [_name(found, m.character) for m in found.mentions if at <= m.span.start < at + 20]
    assert named == ["Horatio", "Barnardo"]
    assert _speaker(book, found, "We shall, my lord") is None


def test_a_plural_label_is_a_group() -> None:
    _, found = _annotate(_scene("ADA. The tide is in.", "SOLDIERS. We hear it."))
    assert _named(found, "Soldiers").kind is CharacterKind.GROUP


def test_i_is_the_speaker_and_you_whoever_speaks_before_and_after() -> None:
    book, found = _annotate(PYGMALION)
    assert _who(book, found, "I'm getting chilled", "I") == "the Daughter"
    assert _who(book, found, "Would you like", "you") == "Pickering"
    assert found.narrator is None


def test_whoever_is_called_by_name_is_spoken_to() -> None:
    book, found = _annotate(PYGMALION)
    quote = next(q for q in found.quotes if "Nah then, Freddy" in book.slice(q.span))
    assert _name(found, quote.addressee) == "Freddy"


def test_a_speaker_by_their_office_is_meant_by_it_in_speeches_too() -> None:
    text = _scene("KING. The tide is in.", "ADA. It was not the king, my lord.", "BRUNO. The king knows.")
    book, found = _annotate(text)
    assert _who(book, found, "the king, my lord", "the king") == "the King"
    assert _named(found, "the King").aliases[0].text == "King"


def test_the_number_of_an_act_is_no_pronoun() -> None:
    book, found = _annotate(_scene("ADA. I am here.", "BRUNO. I hear.", head="ACT I"))
    at = book.text.index("ACT I") + 4
    assert not any(m.span.start == at for m in found.mentions)


def test_a_pronoun_after_a_word_for_a_heading_stays_one() -> None:
    book = make_book("Chapter 1\n\nMrs. Hale spoke. “The letter I wrote, Tom Hale, is in the book I read.”\n")
    mentions = make_resolver("rules").annotate(book).mentions
    assert [m.surface for m in mentions].count("I") == 2


def test_reading_a_play_is_deterministic() -> None:
    text = play(lambda n, t: f"{n.upper()}. {t}")
    assert _annotate(text)[1] == _annotate(text)[1]


def test_what_is_excluded_inside_a_paragraph_is_no_mention() -> None:
    text = "Chapter 1\n\nMrs. Hale opened [Pg Tom Hale] the door. Tom Hale1 saw her.\n"
    book = make_book(text)
    cuts = ["[Pg Tom Hale]", "1 saw"]
    spans = [Span(text.index(cut), text.index(cut) + len(cut.removesuffix(" saw"))) for cut in cuts]
    excluded = tuple(Exclusion(span, Part.APPARATUS, "page number") for span in spans)
    book = Book(text, "A", None, book.chapters, book.paragraphs, excluded, book.report)
    mentions = make_resolver("rules").annotate(book).mentions
    assert not any(m.span.overlaps(span) for m in mentions for span in spans)
    assert [m.surface for m in mentions if "Tom" in m.surface] == ["Tom Hale"]
