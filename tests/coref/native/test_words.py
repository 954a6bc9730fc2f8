"""The words and sentences that the literary model reads."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coref.native.book_words import BookWords
from coref.native.document import SpeechState
from coref.native.groundwork import lay
from tests.coref.conftest import make_book


def read(text: str) -> BookWords:
    return lay(make_book(text)).words


def test_clitics_are_words_and_titles_keep_their_stops() -> None:
    found = read("Mr. Hale can't say that Tom’s o'clock isn't wrong; he'll go -- I cannot, at 8:35.")
    told = "Mr. Hale ca n't say that Tom ’s o'clock is n't wrong ; he 'll go -- I can not , at 8:35 ."
    assert " ".join(found.words) == told


def test_sentences_end_with_their_marks_and_begin_with_an_opening_one() -> None:
    found = read('Dr. Hale came. "Is it late?" he asked. "It is." They sat down.')
    said = [" ".join(found.words[a:b]) for a, b in found.sentences]
    assert said == [
        "Dr. Hale came .",
        '" Is it late ? " he asked .',
        '" It is . "',
        "They sat down .",
    ]


def test_what_is_said_is_told_apart_from_its_marks() -> None:
    found = read("“Come in,” said Tom.")
    kinds = dict(zip(found.words, found.speech, strict=True))
    assert kinds["“"] is kinds["”"] is SpeechState.MARK
    assert kinds["Come"] is SpeechState.SPOKEN
    assert kinds["Tom"] is SpeechState.NARRATED


def test_a_text_of_parted_words_is_read_as_it_was_parted() -> None:
    """Blanks stand on both sides of every mark, so that only alternation shows which of them open."""
    found = read('" Come in , " said Tom . " It is n\'t late , " said Ann .')
    assert "n't" in found.words
    spoken = [w for w, s in zip(found.words, found.speech, strict=True) if s is SpeechState.SPOKEN]
    assert spoken == ["Come", "in", ",", "It", "is", "n't", "late", ","]


def test_a_sentence_without_stops_is_cut() -> None:
    found = read("and so on " * 1000)
    assert max(b - a for a, b in found.sentences) <= 300


@given(st.text(alphabet="abI Tn'’t.?!“”\"_—-\n1", max_size=200))
def test_words_stand_where_they_say_and_sentences_tile_them(text: str) -> None:
    found = read(text)
    assert [text[a:b] for a, b in zip(found.starts, found.ends, strict=True)] == found.words
    edges = [0, *(b for _, b in found.sentences)]
    assert [a for a, _ in found.sentences] == edges[:-1]
    assert edges[-1] == len(found) == len(found.speech)
    letters = sum(c.isalnum() for c in text)
    assert sum(c.isalnum() for word in found.words for c in word) == letters


def test_a_stretch_is_found_in_words() -> None:
    found = read("Mrs. Hale saw Tom.")
    assert [found.words[i] for i in range(*found.within(0, 9))] == ["Mrs.", "Hale"]
