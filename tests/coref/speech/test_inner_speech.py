"""Speech inside speech: what is found, and whose "I" and "you" it is."""

from __future__ import annotations

from itertools import groupby

import pytest

from coref.language.tokens import tokenize
from coref.speech.direct_speech import find_speech
from tests.coref.conftest import make_book
from tests.coref.test_rules_small import annotate, speaker_of, who


def inner_in(text: str) -> list[str]:
    book = make_book(text)
    tokens = tokenize(book)
    find_speech(book, tokens)
    parts = groupby(range(len(tokens)), key=lambda at: tokens.inner[at])
    return [tokens.surface(next(within), [*within][-1] + 1) for inner, within in parts if inner]


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("“He cried, ‘I am lost!’ and ran,” said Tom.", ["‘I am lost!’"]),
        ("\"'I am lost,' said he, 'for ever.' I laughed,\" said Tom.", ["'I am lost,'", "'for ever.'"]),
        ("‘“Go!” he cried,’ said Tom.", ["“Go!”"]),
        ("“He said, ‘Go.’”", ["‘Go.’"]),
        ("``He said, `Go now.' I went,'' said Tom.", ["`Go now.'"]),
        ("“I met him.\n\n“‘Who is it?’ I asked.\n\n“‘It is I,’ he said.”", ["‘Who is it?’", "‘It is I,’"]),
        ("“He told me:\n\n“‘I was born here.\n\n“‘I die here.’”", ["‘I was born here.", "‘I die here.’"]),
        ("“He’s ‘good’, and it’s the dogs’ bowl,” said Tom.", []),
        ('"\'Course I did, Tom. I saw the dogs," said Anne.', []),
        ("\"They ran 'uz off, en I wuz 'fraid o' dem, so I wuz,\" said Tom.", []),
        ("\"We sailed to 'Frisco. I was glad. 'Go,' he said,\" said Tom.", []),
        ("Tom said ‘no’ and left.", []),
    ],
)
def test_what_is_quoted_inside_speech_is_found(text: str, inner: list[str]) -> None:
    assert inner_in(text) == inner


CAST = "Tom Hale met Anne Vane and George Roe. Tom Hale bowed. Anne Vane smiled. George Roe left.\n\n"
TALE = (
    CAST
    + "“I was at my desk,” said Tom Hale, “when George Roe came in.\n\n"
    + "“‘Mr. Hale,’ said George Roe, ‘I want your money.’\n\n"
    + "“‘I have none,’ I answered. I was afraid.”\n\n"
    + "“How dreadful!” said Anne Vane.\n"
)


def test_in_a_tale_only_the_teller_is_i_outside_what_is_quoted() -> None:
    book, found = annotate(TALE)
    assert who(book, found, "‘I want", "I") is None
    assert who(book, found, "want your money", "your") is None
    assert who(book, found, "none,’ I answered", "I") == "Tom Hale"
    assert who(book, found, "I was afraid", "I") == "Tom Hale"


def test_who_is_called_inside_a_tale_may_tell_it() -> None:
    book, found = annotate(
        CAST
        + "Anne Vane turned to Tom Hale, who sat by the fire.\n\n“Well?” asked Anne Vane.\n\n"
        + "“I was at my desk. A man came in.\n\n"
        + "“‘Mr. Hale,’ said he, ‘I want your money.’”\n\n"
        + "“How dreadful!” said Anne Vane.\n"
    )
    assert speaker_of(book, found, "I was at my desk") == "Tom Hale"
