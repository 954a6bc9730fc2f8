"""Questions to a reader over HTTP, about the novella, beside another work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from evaluation import novella
from tests.http.conftest import Live, Shelf, upload
from tests.http.test_story import get

OTHER = "The Paper on the Table\n\nby Somebody\n\n" + "".join(
    f"CHAPTER {number}\n\nRose Partridge came to the door with the lamp, and Mr. Tucker looked at the paper "
    "on the table.\n\n“You must sign it, Rose,” said Mr. Tucker. Rose Partridge put it in the fire.\n\n"
    for number in ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
)


@pytest.fixture(scope="module")
def wickersea(sqlite_live: Live) -> Iterator[Shelf]:
    with sqlite_live.client(sqlite_live.key(library="quiz")) as client:
        book = upload(client, novella.text().encode())
        upload(client, OTHER.encode())
        yield Shelf(client, "quiz", book)


def test_the_answer_is_what_the_book_tells_there(wickersea: Shelf) -> None:
    found = get(wickersea, "quiz", count=12, seed=4)
    assert found["corrections"] == []
    assert len(found["questions"]) > 6
    for question in found["questions"]:
        right = [n for n, choice in enumerate(question["choices"]) if choice["why"] is None]
        if question["place"] is None:
            assert right == []
            assert question["answer"] == len(question["choices"])
            assert question["load_words"] is None
        else:
            assert right == [question["answer"]]
            told = question["choices"][question["answer"]]["text"]
            assert question["place"]["quote"].split()[0].strip("“‘") in told
            assert question["load_words"] >= 0
    assert get(wickersea, "quiz", count=12, seed=4) == found
    assert get(wickersea, "quiz", count=12, seed=5) != found


def test_wrong_choices_are_about_others_and_from_no_other_book(wickersea: Shelf) -> None:
    found = get(wickersea, "quiz", count=20)
    asked = [q for q in found["questions"] if q["chapter"] is None]
    assert {choice["why"] for question in asked for choice in question["choices"]} == {None, "people"}
    upload(wickersea.client, OTHER.replace("lamp", "lantern").encode())
    assert get(wickersea, "quiz", count=20) == found, "another book changes no question"


def test_where_wrong_choices_are_too_few_it_is_asked_what_happens_in_a_chapter(wickersea: Shelf) -> None:
    chapters = {c["number"]: c for c in get(wickersea, "chapters")["chapters"]}
    asked = [q for q in get(wickersea, "quiz", count=50)["questions"] if q["chapter"] is not None]
    assert asked
    for question in asked:
        assert question["title"] == chapters[question["chapter"]]["title"]
        assert {choice["why"] for choice in question["choices"]} <= {None, "elsewhere"}
        if question["place"]:
            assert question["place"]["chapter"] == question["chapter"]


def test_after_a_few_chapters_there_are_as_many_questions_as_later(wickersea: Shelf) -> None:
    for seed in range(4):
        assert len(get(wickersea, "quiz", upto="3", count=5, seed=seed)["questions"]) == 5


def test_nothing_after_the_place_one_has_read_to(wickersea: Shelf) -> None:
    chapters = get(wickersea, "chapters")["chapters"]
    met = {c["name"] for c in get(wickersea, "characters", upto="4")["items"]}
    late = {c["name"] for c in get(wickersea, "characters")["items"]} - met
    asked = get(wickersea, "quiz", upto="4", count=30)["questions"]
    assert asked
    for question in asked:
        if question["place"]:
            assert question["place"]["span"]["end"] <= chapters[3]["end"]
        assert not any(name in choice["text"] for choice in question["choices"] for name in late)


@pytest.mark.parametrize("level", ["scene", "chapter", "book"])
def test_a_summary_to_correct(wickersea: Shelf, level: str) -> None:
    found = get(wickersea, "quiz/corrections", level=level, count=2)
    assert found["questions"] == []
    for task in found["corrections"]:
        assert task["level"] == level
        assert task["given"] != task["right"]
        assert task["places"]
    assert len(found["corrections"]) == (1 if level == "book" else 2)


def test_a_language_model_writes_summaries_and_offline_they_are_quoted(wickersea: Shelf) -> None:
    assert wickersea.get("/quiz/corrections", generator="scripted-model").status_code == 200
    assert get(wickersea, "quiz/corrections", generator="offline") == get(wickersea, "quiz/corrections")


def test_a_book_in_which_little_happens_has_none(shelf: Shelf) -> None:
    none: dict[str, Any] = {"questions": [], "corrections": []}
    assert get(shelf, "quiz", upto="1") == none


def test_what_was_read_long_ago_is_asked_about(wickersea: Shelf) -> None:
    near, far = (
        [q["load_words"] for q in get(wickersea, "quiz", count=20, load=load)["questions"] if q["place"]]
        for load in ("near", "far")
    )
    assert max(near) < min(far)
    assert wickersea.get("/quiz", load="middle").status_code == 422


def test_too_many_are_refused(wickersea: Shelf) -> None:
    assert wickersea.get("/quiz", count=51).status_code == 422
    assert wickersea.get("/quiz/corrections", level="word").status_code == 422
