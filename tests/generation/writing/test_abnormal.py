"""Each fault is found, and a good answer has none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generation.models.answer_tidying import tidy
from generation.models.types import Finish
from generation.writing.answer_faults import AnswerFault, ExpectedAnswer, faults, finished, whole_sentences
from generation.writing.templating import TemplatePiece, Templates

GOOD = (
    "Bess Farrow is a brown and obliging young woman who joins the Board as a clerk in the first chapter "
    "[1]. "
    "Her brother Tom stays at home, and Captain Crane dislikes her from the first day [1, 2]. She "
    "corrects the "
    "tide table, writes to Mr. Nuttall and is never late [4]. When the Captain loses his ship on the "
    "sand, she "
    "saves him from the water, and Nuttall’s resignation makes her the senior clerk [6]. “You were a "
    "fool, and "
    "my brother,” she tells Tom [5]."
)
OTHERS = "Crane is a captain [1]. Crane likes few people [2]. Bess saves Crane from the water [6]."
INSUFFICIENT = "The evidence is insufficient: the passages only name Lydia Sand."
ANALYSIS = (
    "## Development\nBess rises from clerk to senior clerk [1].\n\n## Motives\nShe wants to be exact [4]."
)
BOOK = (
    "It was the third of September when the Board met again, and the wind had not once gone round to the "
    "west "
    "since the loss of the ship; the clerks sat over their tables with the lamps lit at noon, and nobody "
    "spoke of "
    "the Captain, who stood at the window with his back to them all and counted the lights along the bar."
)
INSTRUCTIONS = "\n".join(
    Templates.load().pieces[p]
    for p in (TemplatePiece.SYSTEM, TemplatePiece.PASSAGES, TemplatePiece.DESCRIPTION)
)
EXPECTED = ExpectedAnswer(INSTRUCTIONS, (BOOK,))


def found(text: str, *, finish: Finish = Finish.STOP, headings: bool = False) -> list[AnswerFault]:
    return faults(tidy(text), finish, ExpectedAnswer(INSTRUCTIONS, (BOOK,), headings))


@pytest.mark.parametrize("text", [GOOD, INSUFFICIENT, f"{GOOD}\n\n{GOOD.replace('Bess', 'Ann')[:200]}."])
def test_a_good_answer_has_no_fault(text: str) -> None:
    assert found(text) == []


def test_a_good_analysis_has_no_fault() -> None:
    assert found(ANALYSIS, headings=True) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", AnswerFault.EMPTY),
        ("  \n ", AnswerFault.EMPTY),
        ("Sure!", AnswerFault.EMPTY),
        ("[1] [2] [3] [4] [5] [6].", AnswerFault.EMPTY),
        ("As an AI language model, I have no opinion on Bess Farrow.", AnswerFault.REFUSED),
        ("I'm sorry, but I can't help with that request today.", AnswerFault.REFUSED),
        ("I cannot describe this person for you, for reasons of policy.", AnswerFault.REFUSED),
        ("Please provide the passages that you want described.", AnswerFault.REFUSED),
        (
            "Bess est une jeune femme qui vient au bureau le matin par le train et qui corrige les tables "
            "avec"
            " beaucoup de soin, mais le capitaine ne l’aime pas du tout et refuse de signer ses lettres.",
            AnswerFault.LANGUAGE,
        ),
        (
            "贝丝是一个年轻的女人，她每天早上坐火车来到办公室工作，船长从第一天起就不喜欢她。",
            AnswerFault.LANGUAGE,
        ),
        (
            "Tide boni farrow nel oning vond wordther lip cra ment dun quarles agong kettle mel oth back sand"
            " brow clerk table farr nuttall ship one two sea lamp.",
            AnswerFault.LANGUAGE,
        ),
        ("She is a clerk of the b\ufffdrd and is never late.", AnswerFault.LANGUAGE),
        ("Bess is a clerk. She is late. She is late. She is late. She is late.", AnswerFault.LOOP),
        ("Bess is very very very very very very very brown.", AnswerFault.LOOP),
        (f"Bess is kind {'and the sea is wide and deep ' * 4}.", AnswerFault.LOOP),
        (f"{GOOD} {GOOD}", AnswerFault.LOOP),
        (INSTRUCTIONS[:600].rsplit(".", 1)[0] + ".", AnswerFault.ECHOED),
        (
            "Bess is a clerk. Cite the passages: end every sentence with the numbers of the passages it "
            "rests on,"
            " in square brackets before the full stop.",
            AnswerFault.ECHOED,
        ),
        (f"Bess is a clerk. {BOOK}", AnswerFault.COPIED),
        (f"The Board meets again [1]. {' '.join(BOOK.split()[4:34])}.", AnswerFault.COPIED),
        ("Bess Farrow is a clerk who corrects the tide table and then", AnswerFault.CUT_OFF),
        ("## Development\nBess rises at the Board [1].\n\n## Motives", AnswerFault.CUT_OFF),
    ],
)
def test_what_is_wrong_is_named(text: str, fault: AnswerFault) -> None:
    assert found(text)[0] is fault


def test_an_answer_that_reaches_its_limit_is_cut_off() -> None:
    assert found(GOOD, finish=Finish.LENGTH) == [AnswerFault.CUT_OFF]


def test_an_analysis_without_headings_breaks_the_template_only_when_they_are_asked_for() -> None:
    assert found(GOOD, headings=True) == [AnswerFault.TEMPLATE]
    assert found(INSUFFICIENT, headings=True) == []
    assert found(GOOD) == []


def test_a_short_quotation_is_no_copy_and_a_word_of_the_task_no_echo() -> None:
    quoting = f"The Board meets, “{' '.join(BOOK.split()[:11])}”, and Bess is there among the clerks [1]. "
    assert found(quoting + GOOD) == []
    assert found("The lasting traits that the text shows are patience and care. " + GOOD) == []


def test_somebody_of_the_book_may_be_sorry() -> None:
    assert found(f"{GOOD} “I’m sorry, but I can’t sign it,” says the Captain [4].") == []
    assert found("“I cannot sign it,” says Captain Crane, who dislikes Bess from the first day [1].") == []


def test_a_closing_quotation_or_bracket_ends_a_sentence() -> None:
    assert finished("She says, “You were a fool.” [3]")
    assert finished("She left (for good.)")
    assert not finished("She says, “You were a”")
    assert not finished("")


def test_only_whole_sentences_are_kept() -> None:
    assert whole_sentences("Bess is a clerk [1]. She is never late [4]. Then she") == (
        "Bess is a clerk [1]. She is never late [4]."
    )
    assert (
        whole_sentences("## One\nBess is a clerk [1].\n\n## Two\nThen she") == "## One\nBess is a clerk [1]."
    )
    assert whole_sentences("Then she") == ""
    assert whole_sentences(GOOD) == GOOD


def test_an_answer_about_somebody_else_is_found() -> None:
    expected = ExpectedAnswer(names=frozenset(("Tom", "Hale")), others=frozenset(("Bess", "Farrow", "Crane")))
    for text in (GOOD.replace("Tom", "Ned"), GOOD, f"Tom is her brother [1]. {GOOD} {OTHERS}"):
        assert AnswerFault.SOMEBODY_ELSE in faults(tidy(text), Finish.STOP, expected), "it only names him"
    for text in (GOOD, f"{GOOD} {OTHERS}"):
        assert not faults(tidy(text), Finish.STOP, replace(expected, names=frozenset(("Bess", "Farrow"))))
    assert not faults(tidy(f"Tom is her brother [1]. {OTHERS}"), Finish.STOP, expected)
    assert not faults(tidy(INSUFFICIENT), Finish.STOP, expected)
    he = "He is the pilot of the harbour [1]. He dislikes Crane from the first day [2]. He is never late."
    assert not faults(he, Finish.STOP, expected)
