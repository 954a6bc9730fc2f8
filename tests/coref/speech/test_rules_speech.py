"""Direct speech under each convention, and its speakers."""

from __future__ import annotations

import pytest

from coref.registry import make_resolver
from coref.speech.quote_convention import conventions
from coref.speech.quote_marks import SpeechStyle
from tests.coref.conftest import make_book
from tests.coref.test_rules_small import annotate, named, speaker_of, who


def quotes(text: str) -> list[str]:
    book, found = annotate(text)
    return [book.slice(q.span) for q in found.quotes]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("“Yes,” said Tom. “No.”", ["“Yes,”", "“No.”"]),
        ('"Yes," said Tom. "No."', ['"Yes,"', '"No."']),
        ("‘Yes,’ said Tom’s aunt. ‘It’s the boys’ turn.’", ["‘Yes,’", "‘It’s the boys’ turn.’"]),
        ("'Yes,' said Tom's aunt. 'It's late.'", ["'Yes,'", "'It's late.'"]),
        ("“It is my dog,” said Tom, “and he’s ‘good’.”", ["“It is my dog,”", "“and he’s ‘good’.”"]),
        ("“One never closed,\n\nsaid Tom. “Two.”", ["“One never closed,", "“Two.”"]),
        ("“A long speech.\n\n“It goes on,” said Tom.", ["“A long speech.\n\n“It goes on,”"]),
        ("He called it a “happy accident” and left.", []),
        ("The “Times” lay on the table.", []),
    ],
)
def test_speech(text: str, said: list[str]) -> None:
    assert quotes(text) == said


def test_dashes() -> None:
    text = "—Yes, said Tom.\n\n—I saw it, Jack.\n\n—Where? asked Jack.\n\nIt rained.\n"
    assert conventions(make_book(text))[0].main is SpeechStyle.DASH
    assert quotes(text) == ["Yes,", "I saw it, Jack.", "Where?"]


CAST = "Tom Hale met Anne Vane. Tom Hale bowed. Anne Vane smiled.\n\n"


def test_a_missing_straight_mark_spoils_one_quote_and_not_the_rest() -> None:
    text = CAST + '"I forgot to close, said Tom Hale. "And again," said Anne Vane. "Good," said Tom Hale.'
    book, found = annotate(text)
    assert speaker_of(book, found, "And again") == "Anne Vane"
    assert speaker_of(book, found, "Good") == "Tom Hale"


@pytest.mark.parametrize(
    ("line", "speaker"),
    [
        ("“Yes,” said Tom Hale.", "Tom Hale"),
        ("“Yes,” Tom Hale replied.", "Tom Hale"),
        ("“Yes,” Anne Vane at once replied.", "Anne Vane"),
        ("Then said Anne Vane, “Yes.”", "Anne Vane"),
        ("Tom Hale looked up and said: “Yes.”", "Tom Hale"),
        ("“Yes.” Anne Vane looked at the ground.", "Anne Vane"),
        ("Anne Vane frowned. “Yes.”", "Anne Vane"),
        ("Tom Hale came in. “Yes,” he said.", "Tom Hale"),
        ("“Yes! I’m Anne Vane.”", "Anne Vane"),
    ],
)
def test_ways_to_tell_a_speaker(line: str, speaker: str) -> None:
    book, found = annotate(CAST + line)
    assert speaker_of(book, found, "Yes") == speaker


def test_turns_without_tags() -> None:
    book, found = annotate(
        CAST
        + "“Is it far?” said Tom Hale.\n\n“Not very,” said Anne Vane.\n\n"
        + "“Shall we walk?”\n\n“If you like.”\n\n“Now?”"
    )
    turns = [speaker_of(book, found, w) for w in ("Shall we", "If you", "Now?")]
    assert turns == ["Tom Hale", "Anne Vane", "Tom Hale"]
    sure = {book.slice(q.span): q.confidence for q in found.quotes}
    assert sure["“Shall we walk?”"] < sure["“Is it far?”"]


def test_whoever_is_called_by_name_is_spoken_to_and_answers() -> None:
    book, found = annotate(CAST + "“Come here, Anne,” said Tom Hale.\n\n“No.”")
    come = next(q for q in found.quotes if "Come" in book.slice(q.span))
    assert come.addressee == named(found, "Anne Vane").id
    assert speaker_of(book, found, "No.") == "Anne Vane"


def test_an_unknown_speaker_stays_unknown() -> None:
    _, found = annotate(CAST + "Chapter 2\n\n“Fire!” said somebody.")
    assert found.quotes[-1].speaker is None
    assert found.quotes[-1].confidence == 0


def test_he_in_an_answer_is_not_who_spoke_last() -> None:
    book, found = annotate(
        "Tom Hale met Jack Crane. Tom Hale sat down by Jack Crane.\n\n"
        "“Tired?” said Tom Hale.\n\n“Very,” he said."
    )
    assert speaker_of(book, found, "Very") == "Jack Crane"


FIRST = "I saw the house. My aunt called me in. I went to her, and I sat down. I was cold. "


def test_narrator_named_by_others() -> None:
    talk = "“Sit down, Pip,” said Joe. I sat down by him.\n\n“Are you cold, Pip?” said Joe. I said no.\n\n"
    _, found = annotate(FIRST + "\n\n" + talk * 2 + "“Then eat, Pip,” said Joe to me.\n\n" + FIRST)
    assert found.narrator == named(found, "Pip").id


def test_narrator_by_their_own_word() -> None:
    _, found = annotate("Call me Ishmael. " + FIRST * 2 + "Ishmael is my name, I tell them.")
    assert found.narrator == named(found, "Ishmael").id


def test_narrator_by_the_title_unless_somebody_else_is_told_of() -> None:
    title = "Roderick Usher"
    for text, narrates in ((FIRST * 5 + f"{title}.", True), ((FIRST + f"{title} rose. ") * 5, False)):
        found = make_resolver("rules").annotate(make_book(text, title=title))
        assert (found.narrator == named(found, title).id) is narrates


def test_narrator_without_a_name() -> None:
    _, found = annotate(FIRST * 4)
    narrator = found.character(found.narrator or "")
    assert narrator is not None
    assert narrator.name == "the narrator"


def test_letters_are_told_by_whoever_signs() -> None:
    text = (
        CAST
        + "Anne Vane opened it.\n\nMy dear Anne,\n\nI am in Deal. I saw the ship.\n\n"
        + "Yours ever,\n\nTom Hale\n\n"
    )
    book, found = annotate(text + "She put it away.")
    assert who(book, found, "I am in Deal", "I") == "Tom Hale"
    assert found.narrator is None


def test_journals_are_told_by_whoever_keeps_them() -> None:
    page = "I saw the castle. I was afraid, and I ran.\n\n"
    text = CAST + f"TOM HALE’S JOURNAL\n\n{page}ANNE VANE’S JOURNAL\n\n{page}"
    _, found = annotate(text)
    told = [m.character for m in found.mentions if m.surface == "I"]
    tom, anne = named(found, "Tom Hale").id, named(found, "Anne Vane").id
    assert told == [tom] * 3 + [anne] * 3


def test_talk_of_letters_begins_none() -> None:
    """Somebody who is said to write a letter does not narrate the book from there on."""
    said = "“Tom Hale wrote a letter to me!” said Anne Vane.\n\n“Anne Vane had a letter to send!”\n\n"
    book, found = annotate(
        CAST + said + "I was there.\n\nAnne Vane’s letter to Tom came late?\n\nI saw it.\n\n"
    )
    assert who(book, found, "I was there", "I") is None
    assert who(book, found, "I saw it", "I") is None
