"""Which of somebody's names is displayed."""

from __future__ import annotations

import pytest

from coref import odds
from coref.language.tokens import tokenize
from coref.names.display_names import FEATURES, WordCases, displayed, signs
from tests.coref.conftest import make_book

TEXT = (
    "The chief sat there. A private word, said the citizen in private. My dearest, she said. Chief Heat rose."
)


@pytest.fixture
def cases() -> WordCases:
    return WordCases(tokenize(make_book(TEXT)))


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ({"Leonard": 111, "Mr. Bast": 36, "Leonard Bast": 5, "poor Leonard Bast": 1}, "Leonard Bast"),
        ({"Chief Inspector Heat": 92, "Heat": 14, "Private Citizen Heat": 3}, "Chief Inspector Heat"),
        ({"Sol-leks": 28, "Francois unfastened Sol-leks": 1}, "Sol-leks"),
        ({"Margaret": 602, "Meg": 50, "Dearest Meg": 5, "my Margaret": 2}, "Margaret"),
        ({"Mrs. Munt": 71, "MEESIS Munt": 1}, "Mrs. Munt"),
        ({"Jacky": 48, "Jack Robinson": 1}, "Jacky"),
        ({"Stevie": 158, "poor Stevie": 12, "the docile Stevie": 1}, "Stevie"),
        ({"Mr. Quarles": 12, "A. Quarles": 1}, "Mr. Quarles"),
        ({"Mr. Quarles": 46, "ARTHUR QUARLES": 9, "QUARLES": 4, "A. QUARLES": 1}, "Mr. Quarles"),
        ({"Mrs. Grey": 79, "Jedge Grey": 1}, "Mrs. Grey"),
        ({"Agnes": 7}, "Agnes"),
        ({"Valancourt": 382, "M. Valancourt": 34, "M. La Valancourt": 1, "La Valancourt": 1}, "Valancourt"),
    ],
)
def test_the_name_that_a_reader_would_say_is_displayed(
    names: dict[str, int], shown: str, cases: WordCases
) -> None:
    assert displayed(names, cases) == shown
    assert displayed(dict(reversed(names.items())), cases) == shown


def test_words_are_common_as_the_book_writes_them(cases: WordCases) -> None:
    assert [cases.small(word) for word in ("Private", "Chief", "Heat", "Verloc")] == [1.0, 0.5, 0.0, 0.0]


def test_signs_of_a_name(cases: WordCases) -> None:
    names = {"Miss Jane P. Fairfax": 1, "Jane": 3}
    told = dict(zip(FEATURES, signs("Miss Jane P. Fairfax", names, cases), strict=True))
    assert told["share"] == pytest.approx(-1.386, abs=1e-3)
    assert {name for name, value in told.items() if value == 1} == {
        "several words", "words of other names", "words of its own", "title first", "used once",
        "title before several words",
    }, "an initial is no word of its own"  # fmt: skip
    the = dict(zip(FEATURES, signs("the Private", {"the Private": 2}, cases), strict=True))
    assert (the["the first"], the["no capital first"], the["common word"], the["share"]) == (1, 1, 1, 0)
    for name in ("MISS JANE", "SALLIE McBRIDE"):
        shouted = dict(zip(FEATURES, signs(name, names | {name: 1}, cases), strict=True))
        assert shouted["only titles"] == 1, "capitals throughout say nothing"


def test_of_equals_the_more_used_one_is_displayed(cases: WordCases) -> None:
    nothing = odds.LearntOdds(FEATURES, 0.0, [0.0] * len(FEATURES))
    assert displayed({"Ann": 2, "Bob": 3, "Cid": 3}, cases, nothing) == "Cid"
