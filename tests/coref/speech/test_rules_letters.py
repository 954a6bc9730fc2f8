"""The narrators of the parts of a book of letters and journals."""

from __future__ import annotations

import pytest

from coref.language.tokens import tokenize
from coref.speech.announced_narrators import Announcement
from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.direct_speech import find_speech
from coref.speech.letter_writers import Tellers, sign
from tests.coref.conftest import make_book
from tests.coref.test_rules_small import annotate, who

CAST = (
    "Tom Hale met Anne Vane in the park. “Tom Hale,” said Anne Vane, “you are late.” Tom Hale laughed.\n\n"
    "Mr. Bruff came by. “Good day, Mr. Bruff,” said Tom Hale. Dr. Reed was there. “Ah, Dr. Reed!”\n\n"
)
PAGE = "I saw the castle. I was afraid, and I ran.\n\n"
TOM = f"TOM HALE’S JOURNAL\n\n{PAGE}"


@pytest.mark.parametrize(
    ("line", "writer"),
    [
        ("_Memorandum by Anne Vane._", "Anne Vane"),
        ("_Memorandum left by Anne Vane._", "Anne Vane"),
        ("DR. REED’S PHONOGRAPH DIARY, SPOKEN BY ANNE VANE", "Anne Vane"),
        ("_Dr. Reed’s Diary._", "Dr. Reed"),
        ("_Dr. Reed’s Diary--continued._", "Dr. Reed"),
        ("NARRATIVE CONTINUED BY THE DOCTOR", "Dr. Reed"),
        ("CONTRIBUTED BY MATTHEW BRUFF, SOLICITOR", "Mr. Bruff"),
        ("EXTRACTED FROM THE JOURNAL OF ANNE VANE", "Anne Vane"),
        ("_Letter from Anne Vane to Tom Hale._", "Anne Vane"),
        ("_Letter (by hand), Anne Vane to Tom Hale._", "Anne Vane"),
        ("ANNE VANE TO TOM HALE", "Anne Vane"),
        ("ANNE VANE IN CONTINUATION", "Anne Vane"),
        ("Vane, in continuation.", "Anne Vane"),
        ("_LOG OF THE “DEMETER.”_", None),
        ("_“The Deal Gazette,” 18 September._", None),
        ("(_Pasted in Anne Vane’s Journal._)", "Tom Hale"),
        ("_25 May._", "Tom Hale"),
        ("Anne Vane’s journal lay on the table, and it had a letter to Mr. Bruff in it.", "Tom Hale"),
    ],
)
def test_a_line_says_who_tells_what_follows(line: str, writer: str | None) -> None:
    """The journals before and after have other writers. A stranger's document has no narrator."""
    text = f"{CAST}{TOM}{line}\n\nI came to Deal.\n\nMR. BRUFF’S DIARY\n\n{PAGE}"
    book, found = annotate(text)
    assert who(book, found, "I came to Deal", "I") == writer


def test_a_name_after_a_numbered_letter_is_its_writers_whoever_reads_it() -> None:
    text = f"{CAST}{TOM}LETTER IV\n\nANNE VANE TO PHOEBE\n\nI came to Deal.\n\n"
    book, found = annotate(text + f"MR. BRUFF’S DIARY\n\n{PAGE}")
    assert who(book, found, "I came to Deal", "I") == "Anne Vane"


def test_who_is_rescued_writes_no_letter() -> None:
    book, found = annotate(
        f"{CAST}{TOM}ANNE VANE TO THE RESCUE\n\nI came to Deal.\n\n" + "MR. BRUFF’S DIARY\n\n"
    )
    assert who(book, found, "I came to Deal", "I") == "Tom Hale"


def test_a_letter_ends_with_its_chapter_and_a_journal_goes_on() -> None:
    letter = "_Letter, Anne Vane to Mr. Bruff._\n\nI came to Deal.\n\n"
    book, found = annotate(
        f"Chapter 1\n\n{CAST}{TOM}{letter}Chapter 2\n\nI left Deal.\n\nMR. BRUFF’S DIARY\n\n{PAGE}"
    )
    assert who(book, found, "I came to Deal", "I") == "Anne Vane"
    assert who(book, found, "I left Deal", "I") == "Tom Hale"


def test_in_a_letter_that_is_printed_in_quotes_the_writer_speaks() -> None:
    """This holds whoever else is named in the letter, and the next writer narrates what follows."""
    letter = "“_9 May._\n\n“My dear Tom,--\n\n“I came with Dr. Reed. He said that I was ill.\n\n“ANNE.”\n\n"
    book, found = annotate(
        f"{CAST}{TOM}_Letter, Anne Vane to Tom Hale._\n\n{letter}_Dr. Reed’s Diary._\n\n“I was,” I said.\n\n"
    )
    assert who(book, found, "I came with", "I") == "Anne Vane"
    assert who(book, found, "that I was ill", "I") == "Anne Vane"
    assert who(book, found, "” I said", "I") == "Dr. Reed"


def test_whoever_is_called_by_name_signs_no_letter() -> None:
    letter = "Dear Sir,\n\nI found the gold.\n\n"
    for end, writer in (("“Anne Vane.”\n\n", None), ("Anne Vane.\n\n", "Anne Vane")):
        book, found = annotate(f"{CAST}{letter}{end}")
        assert who(book, found, "I found", "I") == writer


def test_a_knight_who_is_named_greets_nobody() -> None:
    text = f"{CAST}{TOM}Sir John had his share--a large one.\n\nI was there.\n\nAnne Vane.\n\n"
    book, found = annotate(text + "MR. BRUFF’S DIARY\n\n")
    assert who(book, found, "I was there", "I") == "Tom Hale"


def test_a_numbered_letter_that_nobody_signs_is_by_whoever_signs_the_others() -> None:
    signed = "Letter 1\n\nI am in Deal. I saw the ship.\n\nYour affectionate brother,\n\nTom Hale\n\n"
    book, found = annotate(f"{signed}Letter 2\n\nI came home.\n\nChapter 1\n\n{CAST}")
    assert who(book, found, "I came home", "I") == "Tom Hale"


def test_whoever_signs_letters_does_not_mention_their_own_name_there() -> None:
    letters = "\n\n".join(
        f"{n} May.\n\nI saw the ship. I was there.\n\nAnne Vane." for n in range(1, 31) for _ in "ab"
    )
    book, found = annotate(f"I, Anne Vane, came to Deal.\n\n{letters}\n\nI am in Bath. It rains.")
    assert who(book, found, "I am in Bath", "I") == "Anne Vane"


def test_whoever_a_letter_is_to_is_its_you_whoever_talks_far_off() -> None:
    book = make_book("“I saw that you were ill.”")
    tokens = tokenize(book)
    said = AttributedSpeech(
        find_speech(book, tokens)[0], 0, len(tokens.words), speaker=1, addressee=2, far=True
    )
    told = Tellers(None, [None], {0: Announcement(writer=3, reader=4, letter=True)})
    sign([said], tokens, told)
    assert (said.speaker, said.hearer) == (3, 4)
