"""Speakers, addressees and types of attribution, in small conversations."""

from __future__ import annotations

import json

import pytest

from books.types import Book
from coref.speech.attributed_speech import AttributedSpeech, quotes_of
from coref.speech.direct_speech import DirectSpeech
from coref.speech.speaker_weights import FORMAT, PLACE, SpeakerModel, read, shipped, write
from coref.types import Annotations, Quote, QuoteType
from coref.weights_file import WeightsUnknown
from tests.coref.test_rules_small import annotate, named, speaker_of

CAST = "Tom Hale met Anne Vane and Jack Crane. Tom Hale bowed. Anne Vane smiled. Jack Crane sat down.\n\n"
TOM, ANNE, JACK = "Tom Hale", "Anne Vane", "Jack Crane"


def quote_of(book: Book, found: Annotations, words: str) -> Quote:
    return next(q for q in found.quotes if words in book.slice(q.span))


@pytest.mark.parametrize(
    ("line", "speaker"),
    [
        ("“Yes,” said Tom Hale.", TOM),
        ("“Yes,” said poor Tom Hale.", TOM),
        ("“Yes,” said the voice of Jack Crane.", JACK),
        ("“Yes,” hooted Jack Crane.", JACK),
        ("“Yes,” Jack Crane nodded.", JACK),
        ("“Yes,” Anne Vane at once replied.", ANNE),
        ("“Yes,” Jack Crane, with a sigh, answered.", JACK),
        ("Then said Anne Vane, “Yes.”", ANNE),
        ("Tom Hale looked up and said: “Yes.”", TOM),
        ("Anne Vane jumped up and called “Yes!”", ANNE),
        ("Anne Vane was about to go, when Jack Crane called out, “Yes.”", JACK),
        ("Jack Crane looked up; but Anne Vane pursued with “Yes.”", ANNE),
        ("Jack Crane mildly said:\n\n“Yes.”", JACK),
        ("“Yes! I’m Anne Vane.”", ANNE),
        ("Jack Crane came. “Yes,” answered the man. “I’m Tom Hale.”", TOM),
        ("Tom Hale left. Jack Crane stayed with Anne Vane. “Yes,” he said. “I’m Tom Hale.”", TOM),
        ("Anne Vane frowned. “Yes.”", ANNE),
        ("“Yes,” said Jack Crane to Tom Hale.", JACK),
    ],
)
def test_ways_to_tell_a_speaker(line: str, speaker: str) -> None:
    book, found = annotate(CAST + line)
    assert speaker_of(book, found, "Yes") == speaker


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("“Yes,” said Tom Hale.", QuoteType.EXPLICIT),
        ("“Yes,” he said.", QuoteType.ANAPHORIC),
        ("“Yes,” said the old man.", QuoteType.ANAPHORIC),
        ("“Yes,” said somebody.", QuoteType.ANAPHORIC),
        ("“Yes.”", QuoteType.IMPLICIT),
    ],
)
def test_types(line: str, kind: QuoteType) -> None:
    book, found = annotate(CAST + line)
    assert quote_of(book, found, "Yes").type is kind


def test_the_parts_of_a_turn_have_one_speaker() -> None:
    book, found = annotate(CAST + "“One,” said Anne Vane. “Two.” She laughed. “Three.”")
    assert [speaker_of(book, found, w) for w in ("One", "Two", "Three")] == [ANNE] * 3


def test_two_tags_in_one_paragraph_may_have_two_speakers() -> None:
    book, found = annotate(CAST + "“One,” said Anne Vane; and “Two,” said Tom Hale.")
    assert [speaker_of(book, found, w) for w in ("One", "Two")] == [ANNE, TOM]


def test_what_runs_on_is_one_quote() -> None:
    book, found = annotate(CAST + "“One.\n\n“Two.\n\n“Three,” said Jack Crane.")
    assert len(found.quotes) == 1
    assert speaker_of(book, found, "One") == JACK


def test_turns_go_to_and_fro() -> None:
    talk = "“Far?” said Tom Hale.\n\n“Not very,” said Anne Vane.\n\n" + "\n\n".join(
        f"“Number {i}.”" for i in range(10)
    )
    book, found = annotate(CAST + talk)
    turns = [speaker_of(book, found, f"Number {i}.") for i in range(10)]
    assert turns == [TOM, ANNE] * 5


def test_his_and_her_turns() -> None:
    book, found = annotate(
        "Tom Hale met Anne Vane. He bowed. She smiled.\n\n“One,” she said.\n\n“Two,” he said."
    )
    assert [speaker_of(book, found, w) for w in ("One", "Two")] == [ANNE, TOM]


def test_whoever_tells_the_story_says_i_said() -> None:
    story = "I saw the house. I went in, and I sat down. I was cold. I met Tom Hale.\n\n" * 3
    book, found = annotate(story + "“Cold?” said Tom Hale.\n\n“Very,” I said.\n\n“Sit down.”")
    assert quote_of(book, found, "Very").speaker == found.narrator
    assert found.narrator is not None
    assert speaker_of(book, found, "Sit down") == TOM


def test_whoever_is_called_is_spoken_to() -> None:
    book, found = annotate(CAST + "“Come here, Anne,” said Tom Hale.")
    assert quote_of(book, found, "Come").addressee == named(found, ANNE).id


def test_the_other_one_who_talks_is_spoken_to() -> None:
    book, found = annotate(CAST + "“One,” said Tom Hale.\n\n“Two,” said Jack Crane.")
    assert quote_of(book, found, "Two").addressee == named(found, TOM).id
    assert quote_of(book, found, "One").addressee == named(found, JACK).id


def test_whoever_spoke_before_the_last_word_is_still_spoken_to() -> None:
    talk = "“One,” said Anne Vane.\n\n“Two,” said Tom Hale.\n\nHe sat down.\n\n“Three,” said Tom Hale."
    book, found = annotate(CAST + talk)
    assert quote_of(book, found, "Three").addressee == named(found, ANNE).id


@pytest.mark.parametrize(
    ("between", "known"), [("", True), ("“Two,” said Tom Hale.\n\nHe sat down.\n\n", False)]
)
def test_you_is_whoever_spoke_just_before_and_nobody_who_spoke_long_ago(between: str, known: bool) -> None:
    talk = f"“One,” said Anne Vane.\n\n{between}“Three for you,” said Tom Hale."
    book, found = annotate(CAST + talk)
    assert quote_of(book, found, "Three").addressee == named(found, ANNE).id
    you = next((m for m in found.mentions if m.surface == "you" and m.character is not None), None)
    assert (you is not None and you.character == named(found, ANNE).id) is known


def test_a_quote_that_is_alone_is_said_to_nobody_known() -> None:
    book, found = annotate(CAST + "“One,” said Tom Hale.")
    assert quote_of(book, found, "One").addressee is None


def test_named_speakers_are_surer_than_turns() -> None:
    book, found = annotate(CAST + "“One,” said Tom Hale.\n\n“Two,” said Anne Vane.\n\n“Three.”")
    sure = [quote_of(book, found, w).confidence for w in ("One", "Two", "Three")]
    assert min(sure[:2]) > 0.9
    assert sure[2] < min(sure[:2])


def test_quotes_without_a_known_speaker_have_no_confidence() -> None:
    speech = DirectSpeech(0, 4, 0)
    quotes = quotes_of([AttributedSpeech(speech, 0, 1, speaker=7, confidence=0.8)], {})
    assert (quotes[0].speaker, quotes[0].confidence) == (None, 0.0)


def test_weights_survive_being_written() -> None:
    model = SpeakerModel({"often": 0.25, "again|": -1.0})
    assert read(write(model, {"on": "nothing"})) == model


def test_weights_of_another_format_are_refused() -> None:
    text = write(SpeakerModel({}), {}).replace(f'"format": {FORMAT}', f'"format": {FORMAT + 1}')
    with pytest.raises(WeightsUnknown):
        read(text)


@pytest.mark.parametrize(
    ("name", "sign"),
    [("sure:name:is", 1), ("called here", -1), ("called before", 1), ("sure:gender clashes", -1)],
)
def test_the_shipped_weights_say_what_they_should(name: str, sign: int) -> None:
    assert shipped().weights[name] * sign > 0


def test_talk_that_goes_on_and_on_keeps_its_speakers() -> None:
    talk = "“Far?” said Tom Hale.\n\n“Not very,” said Anne Vane.\n\n" + "\n\n".join(
        f"“Number {i}.”" for i in range(900)
    )
    _, found = annotate(CAST + talk)
    assert {q.speaker for q in found.quotes} <= {named(found, name).id for name in (TOM, ANNE, JACK)}
    assert len(found.quotes) == 902


def test_the_shipped_weights_say_what_they_were_trained_on() -> None:
    held = json.loads(PLACE.read_text(encoding="utf-8"))
    assert held["format"] == FORMAT
    assert "LitBank, CC BY 4.0" in held["trained"]["on"]
    assert 0 < held["trained"]["dev"]["right"] <= held["trained"]["dev"]["turns"]
