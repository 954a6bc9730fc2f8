"""Questions about a book over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from generation.phrases import phrase
from generation.types import AnswerLanguage
from tests.http.conftest import Shelf
from tests.http.test_streams import told

NOT_SAID = phrase(AnswerLanguage.ENGLISH, "unsaid")

SCRIPTED = {"generator": "scripted-model"}


def ask(shelf: Shelf, question: str, *people: str, status: int = 200, **params: Any) -> dict[str, Any]:
    answer = shelf.client.post(
        f"{shelf.at}/questions", json={"question": question, "people": list(people)}, params=params
    )
    assert answer.status_code == status, answer.text
    given: dict[str, Any] = answer.json()
    return given


def named(shelf: Shelf) -> dict[str, Any]:
    person: dict[str, Any] = shelf.client.get(f"{shelf.at}/characters").json()["items"][0]
    return person


def test_an_answer_is_cited_or_says_that_there_is_none(shelf: Shelf) -> None:
    person = named(shelf)
    told = ask(shelf, f"What does {person['name']} do?")
    assert told["task"] == "question"
    assert told["question"] == f"What does {person['name']} do?"
    assert [p["id"] for p in told["characters"]] == [person["id"]]
    if told["answered"]:
        assert told["sentences"][0]["citations"]
    else:
        assert told["text"].startswith(NOT_SAID)


def test_nobody_named_means_those_of_the_question_before(shelf: Shelf) -> None:
    person = named(shelf)
    told = ask(shelf, "And why?", person["id"])
    assert [p["id"] for p in told["characters"]] == [person["id"]]
    assert ask(shelf, "And why?")["characters"] == []


@pytest.mark.parametrize("params", [{}, SCRIPTED])
def test_nothing_after_the_place_one_has_read_to(shelf: Shelf, params: dict[str, str]) -> None:
    end = shelf.client.get(f"{shelf.at}/chapters").json()["chapters"][0]["end"]
    told = ask(shelf, f"What does {named(shelf)['name']} do?", upto="1", **params)
    assert all(c["span"]["end"] <= end for s in told["sentences"] for c in s["citations"])


def test_only_chapters_that_the_question_names_are_searched(shelf: Shelf) -> None:
    name = named(shelf)["name"]
    told = ask(shelf, f"What does {name} do in chapter 2?")
    assert {c["chapter"] for s in told["sentences"] for c in s["citations"]} == {2}
    until, read = (
        ask(shelf, f"Who is {name} by the end of chapter 1?"),
        ask(shelf, f"Who is {name}?", upto="1"),
    )
    assert until["sentences"] == read["sentences"]
    assert until["provenance"]["upto"] == read["provenance"]["upto"]
    assert "You have read 1 chapter." in ask(shelf, "Who came in chapters 1 to 2?", upto="1")["notes"]


def test_what_happens_in_a_chapter_is_its_summary(shelf: Shelf) -> None:
    summary = shelf.client.get(f"{shelf.at}/chapters/2/summary", params={"words": 80}).json()["sentences"]
    for question in ("What happens in chapter 2?", "第二章发生了什么？"):
        told = ask(shelf, question, generator="offline", language="en")
        assert told["answered"]
        assert [s["text"] for s in told["sentences"]] == [s["text"] for s in summary]
    title = shelf.json("/chapters")["chapters"][1]["title"]
    by_title = ask(shelf, f"What happens in “{title}”?", generator="offline")
    assert [s["text"] for s in by_title["sentences"]] == [s["text"] for s in summary]
    last = ask(shelf, "What happened in the last chapter?", generator="offline", upto="1")
    assert {c["chapter"] for s in last["sentences"] for c in s["citations"]} == {1}
    plan = ask(shelf, "What happened in the last chapter?", dry_run=True, refresh=True, **SCRIPTED)
    assert plan["passages"] > 0
    other = ask(shelf, f"What happens to {named(shelf)['name']} in chapter 2?", generator="offline")
    assert other["text"] != last["text"]


@pytest.mark.parametrize(
    ("upto", "seen"),
    [
        ({}, "There is no chapter 99. The book has"),
        ({"upto": "1"}, "You have not read chapter 99. You have read 1"),
    ],
)
def test_a_chapter_that_is_not_there_is_said(shelf: Shelf, upto: dict[str, str], seen: str) -> None:
    said = ask(shelf, "Who came in chapter 99?", status=404, **upto)
    assert said["code"] == "chapter_unknown"
    assert seen in said["detail"]


def test_the_same_question_is_answered_from_what_is_kept(shelf: Shelf) -> None:
    first = ask(shelf, "Who came?", **SCRIPTED)
    again = ask(shelf, "Who came?", **SCRIPTED)
    assert again["usage"] == first["usage"]
    assert ask(shelf, "Who went?", **SCRIPTED)["question"] == "Who went?"


def test_a_model_is_shown_the_question_and_passages(shelf: Shelf) -> None:
    plan = ask(shelf, "Who came?", dry_run=True, refresh=True, **SCRIPTED)
    assert plan["calls"] >= 1
    assert 0 < plan["passages"] <= 100


def test_an_answer_is_streamed(shelf: Shelf) -> None:
    asked = {"question": "Who came?"}
    with shelf.client.stream(
        "POST", f"{shelf.at}/questions", params={"stream": "true"}, json=asked
    ) as response:
        *_, last = told(response)
    assert (last.kind, last.data["question"]) == ("answer", "Who came?")


@pytest.mark.parametrize(
    ("question", "language"),
    [("Кто этот старик?", "Russian"), ("Où habite Clotelle ?", "French"), ("Wer ist das?", "German")],
)
def test_a_question_in_another_language_is_remarked_on(shelf: Shelf, question: str, language: str) -> None:
    said = f"The question seems to be in {language}. Ask in English or Chinese."
    assert said in ask(shelf, question, generator="offline")["notes"]
    assert said not in ask(shelf, "Who came?", generator="offline")["notes"]


@pytest.mark.parametrize("question", ["", "   ", " ?! ", "x" * 501])
def test_what_is_no_question_is_refused(shelf: Shelf, question: str) -> None:
    said = ask(shelf, question, status=422)
    assert said["code"] == "request_invalid"
    assert "\\" not in said["detail"], "a pattern is for programmers of the service"


@pytest.mark.parametrize(("field", "in_url"), [("upto", True), ("dry_run", True), ("colour", False)])
def test_a_parameter_of_the_url_in_the_body_is_told(shelf: Shelf, field: str, in_url: bool) -> None:
    answer = shelf.client.post(f"{shelf.at}/questions", json={"question": "Who came?", field: "1"})
    (part,) = answer.json()["errors"]
    assert (answer.status_code, part["where"]) == (422, f"body.{field}")
    assert ("in the URL" in part["problem"]) is in_url


@pytest.mark.parametrize(
    ("params", "says"), [({"strategy": "lead"}, "lead"), ({"retriever": "bm25"}, "one way")]
)
def test_options_that_mean_nothing_here_are_refused(shelf: Shelf, params: dict[str, str], says: str) -> None:
    assert says in ask(shelf, "Who came?", status=422, **params)["detail"]
