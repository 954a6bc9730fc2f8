"""Direct speech in every style, by a table of small texts and by properties of any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coref.language.tokens import tokenize
from coref.speech.direct_speech import find_speech
from coref.speech.quote_convention import conventions
from coref.speech.quote_marks import SpeechStyle
from tests.coref.conftest import make_book
from tests.coref.speech.conftest import said_in, speech_in

DOUBLE = [
    ("“Yes,” said Tom. “No.”", ["“Yes,”", "“No.”"]),
    ('"Yes," said Tom. "No."', ['"Yes,"', '"No."']),
    ('"Yes!" "No!"', ['"Yes!"', '"No!"']),
    ("Tom said—“Yes”—and left.", ["“Yes”"]),
    ("“_Yes_,” said Tom.", ["“_Yes_,”"]),
    ("``Yes,'' said Tom.", ["``Yes,''"]),
    ("„Ja“, sagte er. „Nein.“", ["„Ja“", "„Nein.“"]),
    ("„Tak”, said Jan. „Nie.”", ["„Tak”", "„Nie.”"]),
    ("”Ja,” sade Tom. ”Nej.”", ["”Ja,”", "”Nej.”"]),
    ("“...,” said he. “?!” he cried.", ["“...,”", "“?!”"]),
    ("“?”\n\n“! !”", ["“?”", "“! !”"]),
    ("Tom called “Halt!” and stood.", ["“Halt!”"]),
    ("She answered “yes,” and left.", ["“yes,”"]),
]
SINGLE = [
    ("‘Yes,’ said Tom’s aunt. ‘It’s the boys’ turn.’", ["‘Yes,’", "‘It’s the boys’ turn.’"]),
    ("'Yes,' said Tom's aunt. 'It's late.'", ["'Yes,'", "'It's late.'"]),
    ("‘'Tis late,’ said Tom. ‘Go.’", ["‘'Tis late,’", "‘Go.’"]),
    ("'Tis late,' said Tom. 'Go home.'\n\n'Yes,' said Anne.", ["'Tis late,'", "'Go home.'", "'Yes,'"]),
    ("`Yes,' said Tom. `No,' said Anne.", ["`Yes,'", "`No,'"]),
    ("‘I saw the dogs’ bowls,’ said Tom. ‘Well?’", ["‘I saw the dogs’ bowls,’", "‘Well?’"]),
    ("Tom thought: ‘I must go.’", ["‘I must go.’"]),
]
GUILLEMETS = [
    ("« Oui », dit Paul. « Non. »", ["« Oui »", "« Non. »"]),
    ("«Sì», disse Ugo. «No.»", ["«Sì»", "«No.»"]),
    ("»Ja«, sagte er. »Nein.«", ["»Ja«", "»Nein.«"]),
    ("‹Ja›, said Urs. ‹Nein.›", ["‹Ja›", "‹Nein.›"]),
    ("«Un long discours.\n\n»Qui continue», dit-il.", ["«Un long discours.", "»Qui continue»"]),
]
CORNERS = [
    ("「你好，」他說。「再見。」", ["「你好，」", "「再見。」"]),
    ("『你好。』", ["『你好。』"]),
    ("他说：「我看见『他』了。」", ["「我看见『他』了。」"]),
    ("他说：“你好。”", ["“你好。”"]),
]
DASHES = [
    ("—Yes, said Tom.\n\n—I saw it, Jack.\n\n—Where? asked Jack.", ["Yes,", "I saw it, Jack.", "Where?"]),
    ("―Yes, said Tom.", ["Yes,"]),
    ("--Yes, said Tom.", ["Yes,"]),
    ("—Yes —said Tom—. I saw it.", ["Yes", "I saw it."]),
    ("— Oui, said Paul, je viens.", ["Oui,", "je viens."]),
    ("—Yes, said Tom. —And you?", ["Yes,", "And you?"]),
    ("—“Yes,” said Tom.", ["“Yes,”"]),
    ("—It rained.\n\n“Yes,” said Tom.", ["“Yes,”"]),
]
MIXED = [
    ("“Yes,” said Tom; ‘no,’ said Anne.", ["“Yes,”", "‘no,’"]),
    ("“Yes,” said Tom.\n\n«Oui», dit Paul.\n\n‘No,’ said Anne.", ["“Yes,”", "«Oui»", "‘No,’"]),
    ('“Yes,” said Tom. "No," said Anne.', ["“Yes,”", '"No,"']),
    ("“Yes,” said Tom.\n\n—Non, cried Paul.\n\n“Well.”", ["“Yes,”", "Non,", "“Well.”"]),
]
NESTED = [
    ("“It is my dog,” said Tom, “and he’s ‘good’.”", ["“It is my dog,”", "“and he’s ‘good’.”"]),
    ("“He said “go” to me,” said Tom. “Well.”", ["“He said “go” to me,”", "“Well.”"]),
    ("‘He said “Go!” and went,’ said Tom.", ["‘He said “Go!” and went,’"]),
    ("‘“Go!” he cried,’ said Tom.", ["‘“Go!” he cried,’"]),
    ("« Il dit « va », et part », dit Paul.", ["« Il dit « va », et part »"]),
    ("—He cried “Go!” to me, said Tom.", ["He cried “Go!” to me,"]),
]
NESTED_AND_LEFT_OPEN = [
    (
        "“I went up.\n\n“He called it “a method” and left.\n\n“I came down.”",
        ["“I went up.", "“He called it “a method” and left.", "“I came down.”"],
    ),
    (
        "“The uncle said, ‘He wrote to me: “Send no more.” That is all.’\n\n“I came down.”",
        ["“The uncle said, ‘He wrote to me: “Send no more.” That is all.’", "“I came down.”"],
    ),
    ("“The uncle said, ‘No.’ I went. “Go,” he said.", ["“The uncle said, ‘No.’ I went.", "“Go,”"]),
]
OPEN = [
    ("“One never closed,\n\nsaid Tom. “Two.”", ["“One never closed,", "“Two.”"]),
    ("“A long speech.\n\n“It goes on,” said Tom.", ["“A long speech.", "“It goes on,”"]),
    ('"A long speech.\n\n"It goes on," said Tom.', ['"A long speech.', '"It goes on,"']),
    ("‘A long speech.\n\n‘It goes on,’ said Tom.", ["‘A long speech.", "‘It goes on,’"]),
    ("“He wrote:\n\nDear Tom, come.\n\nYours, Anne.”", ["“He wrote:", "Dear Tom, come.", "Yours, Anne.”"]),
    ("“I forgot, said Tom. “And again,” said Anne.", ["“I forgot, said Tom.", "“And again,”"]),
    ('"I forgot, said Tom. "And again," said Anne.', ['"I forgot, said Tom.', '"And again,"']),
]
NO_SPEECH = [
    "He called it a “happy accident” and left.",
    "He called it a “happy accident,” and left.",
    "He called it a 'happy accident' and left.",
    "The “Times” lay on the table.",
    "The inn was called “The Swan,” and it was old.",
    "The dogs' bowls were empty at six o'clock, an' 'twas so, an' th' end of 'em.",
    "’Tis late, and the boys’ turn. ’Twas ever so.",
    "Rock 'n' roll in the '90s.",
    'It was 6\' 2" high and 5" wide.',
    "— two eggs\n\n— one onion\n\n— salt",
    "It rained—and rained—and stopped.",
]


@pytest.mark.parametrize(
    ("text", "said"),
    [*DOUBLE, *SINGLE, *GUILLEMETS, *CORNERS, *DASHES, *MIXED, *NESTED, *NESTED_AND_LEFT_OPEN, *OPEN],
)
def test_speech(text: str, said: list[str]) -> None:
    assert said_in(text) == said


@pytest.mark.parametrize("text", NO_SPEECH)
def test_no_speech(text: str) -> None:
    assert said_in(text) == []


def test_what_a_paragraph_leaves_open_goes_on_in_the_next() -> None:
    one, other, last = speech_in("“A long speech.\n\n“It goes on,” said Tom.\n\n“Well!” said Anne.")
    assert (one.runs_on, other.continues, last.continues) == (True, True, False)


def test_the_way_of_a_part_may_differ_from_the_book() -> None:
    double = "“Yes,” said Tom. “It is.”\n\n" * 200
    single = "‘I can’t,’ said Tom. ‘The boys’ turn is first, and ’tis the dogs’ turn.’\n\n" * 80
    text = double + single
    assert [conventions(make_book(text))[n].main for n in (0, -1)] == [SpeechStyle.DOUBLE, SpeechStyle.SINGLE]
    found = said_in(text)
    assert found[-2:] == ["‘I can’t,’", "‘The boys’ turn is first, and ’tis the dogs’ turn.’"]
    assert len(found) == 400 + 160


def test_each_stretch_says_how_it_is_marked() -> None:
    text = "“Yes,” said Tom.\n\n«Oui», dit Paul.\n\n—Non, cried Paul.\n\n「你好。」"
    styles = [speech.style for speech in speech_in(text)]
    assert styles == [SpeechStyle.DOUBLE, SpeechStyle.GUILLEMETS, SpeechStyle.DASH, SpeechStyle.CORNERS]


PIECES = [
    *"“”‘’\"'`«»‹›„「」『』—_…,.!?:",
    "--",
    "``",
    "''",
    " ",
    " ",
    "\n\n",
    "Tom",
    "said",
    "the",
    "tis",
    "我",
    "9",
]


@given(st.lists(st.sampled_from(PIECES), max_size=80).map("".join))
@settings(max_examples=200, deadline=None)
def test_spans_lie_in_order_inside_their_paragraphs(text: str) -> None:
    check(text)


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_characters_at_all(text: str) -> None:
    check(text)


def check(text: str) -> None:
    book = make_book(text)
    tokens = tokenize(book)
    found = find_speech(book, tokens)
    at = 0
    for index, speech in enumerate(found):
        inside = book.paragraphs[speech.paragraph].span
        assert at <= speech.start < speech.end
        assert inside.start <= speech.start
        assert speech.end <= inside.end
        at = speech.end
        assert all(tokens.quote[i] == index for i in range(tokens.at(speech.start), tokens.at(speech.end)))
    assert sum(q >= 0 for q in tokens.quote) == sum(tokens.at(s.end) - tokens.at(s.start) for s in found)


@pytest.mark.parametrize(
    "piece",
    ["“", "'a ", "‘a", "« ", "a' ", "—a, b "],
)
def test_time_grows_with_the_marks_in_a_paragraph_and_not_faster(piece: str) -> None:
    def seconds(count: int) -> float:
        book = make_book("“Yes,” said Tom. " + piece * count)
        taken = []
        for _ in range(3):  # the quickest, because the machine may be busy
            tokens = tokenize(book)
            started = time.process_time()
            find_speech(book, tokens)
            taken.append(time.process_time() - started)
        return min(taken)

    assert seconds(10_000) < 40 * max(seconds(1_000), 0.01)
