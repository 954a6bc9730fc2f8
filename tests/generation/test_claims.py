from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books.types import Book
from coref.types import Annotations
from generation.claims import extract
from generation.prompts import make_prompt
from generation.types import Category, Citation, Claim, Draft, Prompt, Sentence, Task
from tests.generation.conftest import HARBOUR, PEOPLE
from tests.generation.story import story


@pytest.fixture(scope="module")
def prompt(harbour: tuple[Book, Annotations]) -> Prompt:
    book, annotations = harbour
    return make_prompt(book, task=Task.DESCRIPTION, annotations=annotations, characters=["bess"])


def claims_of(text: str, prompt: Prompt) -> list[Claim]:
    return extract(Draft((Sentence(text, ()),), "hand"), prompt)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Bess saved the Captain and left.", ["Bess saved the Captain.", "Bess left."]),
        ("She married Tom, but he ran.", ["Bess Farrow married Tom.", "Tom Farrow ran."]),
        ("Bess is proud, vain and kind.", ["Bess is proud.", "Bess is vain.", "Bess is kind."]),
        (
            "Bess is the sister of Tom and a friend of Lydia.",
            ["Bess is the sister of Tom.", "Bess is a friend of Lydia."],
        ),
        (
            "Bess is the daughter of Captain Crane and Lydia.",
            ["Bess is the daughter of Captain Crane.", "Bess is the daughter of Lydia."],
        ),
        ("Later, in chapter 3, she saved him.", ["Bess Farrow saved him in chapter 3."]),
        ("Her brother stayed.", ["Bess Farrow’s brother stayed."]),
        (
            "Bess is most often seen with Tom Farrow and Mr. Nuttall.",
            ["Bess is most often seen with Tom Farrow and Mr. Nuttall."],
        ),
        ("", []),
    ],
)
def test_a_text_is_split_into_claims_that_stand_alone(text: str, claims: list[str], prompt: Prompt) -> None:
    assert [c.text for c in claims_of(text, prompt)] == claims


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Bess is the senior clerk.", Category.ROLE),
        ("Bess is the sister of Tom.", Category.RELATIONSHIP),
        ("Bess married Tom.", Category.RELATIONSHIP),
        ("Bess is generous.", Category.PERSONALITY),
        ("Bess saved the ship.", Category.EVENT),
        ("Bess feared the Captain.", Category.MENTAL_STATE),
        ("Bess was ashamed.", Category.MENTAL_STATE),
        ("Bess appears in all 3 chapters.", Category.OTHER),
        ("Bess is tall.", Category.OTHER),
    ],
)
def test_categories_follow_from_the_words(text: str, category: Category, prompt: Prompt) -> None:
    assert [c.category for c in claims_of(text, prompt)] == [category]


def test_a_claim_knows_its_subject_its_people_and_its_place(prompt: Prompt) -> None:
    sentence = "Tom Farrow left. Captain Crane told Bess and resigned."
    cited = (Citation(prompt.book.paragraphs[1].span, 0),)
    claims = extract(Draft((Sentence(sentence, cited),), "hand"), prompt)
    assert [c.subject for c in claims] == ["tom", "crane", "crane"]
    assert [n.character for n in claims[1].people] == ["crane", "bess"]
    assert claims[1].people[1].span.of(claims[1].text) == "Bess"
    assert [c.span.of(sentence) for c in claims] == ["Tom Farrow left", "Captain Crane told Bess", "resigned"]
    assert all(c.citations == cited for c in claims)


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("Bess appears in all three chapters.", True),
        ("Lydia Sand first appears in chapter 2.", True),
        ("Lydia Sand first appears in chapter 1.", False),
        ("Lydia Sand appears in 2 of the 3 chapters.", False),
        ("Bess is the most often mentioned person in the book.", True),
        ("Tom is the most often mentioned person in the book.", False),
        ("Captain Crane speaks most often to Mr. Nuttall.", True),
        ("Captain Crane speaks most often to Bess Farrow.", False),
        ("Captain Crane speaks one times, most often to Mr. Nuttall.", True),
    ],
)
def test_what_can_be_counted_is_counted(text: str, agrees: bool, prompt: Prompt) -> None:
    counted = claims_of(text, prompt)[0].counted
    assert counted is not None
    assert (counted.said == counted.found) is agrees


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="aBess TomHe,.;and is was the proud\n“”", max_size=120))
def test_any_text_gives_claims_inside_it(text: str) -> None:
    book, annotations = story(HARBOUR, **PEOPLE)
    asked = make_prompt(book, task=Task.DESCRIPTION, annotations=annotations, characters=["bess"])
    for claim in claims_of(text, asked):
        assert claim.text
        assert 0 <= claim.span.start < claim.span.end <= len(text)
