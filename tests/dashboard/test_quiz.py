"""The quiz in a real browser: answer with the keyboard, see what was right, open its place."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from books.reading import read
from evaluation import novella
from tests.http.conftest import upload


@pytest.fixture
def wickersea(client: httpx.Client) -> dict[str, Any]:
    """The first twelve chapters of the novella, long enough for a quiz about what is long past."""
    book = read(novella.text().encode(), name="novella.txt")
    return upload(client, book.text[: book.end_of_chapter(12)].encode())


def test_a_question_is_answered_and_opens_its_place(page: Page, wickersea: dict[str, Any]) -> None:
    page.goto(f"/library/{wickersea['id']}")
    page.get_by_role("link", name="Quiz").click()
    questions = page.locator("fieldset.quiz")
    expect(questions).to_have_count(5)
    for n in range(5):
        question = questions.nth(n)
        question.get_by_role("button").first.focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(question.locator("li").nth(2).get_by_role("button")).to_have_text(re.compile("^[✓✗] "))
        expect(question.locator("button.right")).to_have_text(re.compile("^✓ "))
        expect(question.get_by_role("button").first).to_be_disabled()
        expect(question.get_by_role("status")).not_to_be_empty()
        expect(question.get_by_role("status")).to_be_focused()
    expect(page.locator("p.lead[role=status]")).to_contain_text("of 5 right")
    placed = questions.filter(has=page.locator(".verdict a")).first
    placed.locator(".verdict a").focus()
    page.keyboard.press("Enter")
    expect(page.locator("mark").first).to_be_in_viewport()


def test_a_quiz_at_the_end_of_a_chapter_and_a_summary_to_correct(
    page: Page, wickersea: dict[str, Any]
) -> None:
    page.goto(f"/library/{wickersea['id']}/read")
    page.get_by_label("Chapter", exact=True).select_option("6")
    quiz = page.get_by_role("navigation", name="Chapters").get_by_role("link", name="Quiz")
    expect(quiz).to_have_attribute("href", re.compile(r"chapter=6$"))
    quiz.focus()
    page.keyboard.press("Enter")
    expect(page.locator("fieldset.quiz").first).to_be_visible()
    assert "quiz?chapter=6&" in page.url
    expect(page.get_by_text("Up to the end of chapter 6")).to_be_visible()
    far = page.get_by_label("About")
    far.focus()
    page.keyboard.press("End")
    expect(far).to_have_value("far")
    with page.expect_request(re.compile(r"/quiz\?.*\bload=far\b")):
        page.get_by_role("button", name="New questions").press("Enter")
    page.get_by_label("Ask me").select_option("chapter")
    expect(far).to_be_hidden()
    page.get_by_role("button", name="New questions").press("Enter")
    first = page.locator("form.quiz").first
    first.get_by_label("What really happened?").focus()
    page.keyboard.type("Somebody else.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(first.get_by_role("heading", name="In the book")).to_be_visible()
    first.get_by_role("link").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("mark").first).to_be_in_viewport()


def test_questions_that_come_late_replace_nothing(page: Page, wickersea: dict[str, Any]) -> None:
    written = {"given": "Bess lost it.", "right": "Bess kept it.", "level": "book", "places": []}
    late: list[Route] = []
    page.route(re.compile(r"/quiz\?.*\bload=far\b"), lambda route: late.append(route))
    page.route(
        re.compile("/quiz/corrections"),
        lambda route: route.fulfill(json={"questions": [], "corrections": [written]}),
    )
    page.goto(f"/library/{wickersea['id']}/quiz")
    expect(page.locator("fieldset.quiz").first).to_be_visible()
    page.get_by_label("About").select_option("far")
    page.get_by_role("button", name="New questions").press("Enter")
    page.get_by_label("Ask me").select_option("book")
    page.get_by_role("button", name="New questions").press("Enter")
    expect(page.locator("form.quiz")).to_contain_text("Bess lost it.")
    with page.expect_response(re.compile("load=far")):
        late[0].fulfill(json={"questions": [], "corrections": []})
    page.wait_for_timeout(200)  # for the page to take it
    expect(page.locator("form.quiz")).to_contain_text("Bess lost it.")


def test_a_language_model_tells_the_summaries_if_there_is_one(page: Page, wickersea: dict[str, Any]) -> None:
    ready = {"generator": "offline", "model": None, "generators": ["offline", "openai"]}
    written = {"given": "Bess lost it.", "right": "Bess kept it.", "level": "book", "places": []}
    page.route("**/readyz", lambda route: route.fulfill(json=ready))
    page.route(
        re.compile("generator=openai"),
        lambda route: route.fulfill(json={"questions": [], "corrections": [written]}),
    )
    page.goto(f"/library/{wickersea['id']}/quiz")
    teller = page.get_by_label("Told by")
    expect(page.locator("fieldset.quiz").first).to_be_visible()
    expect(teller).to_be_hidden()
    page.get_by_label("Ask me").select_option("book")
    teller.select_option("Language model server")
    page.get_by_role("button", name="New questions").press("Enter")
    expect(page.locator("form.quiz")).to_contain_text("Bess lost it.")
    page.unroute_all()
    page.goto(f"/library/{wickersea['id']}/quiz")
    page.get_by_label("Ask me").select_option("book")
    expect(teller).to_be_hidden()


def test_whoever_opens_the_link_of_a_quiz_is_asked_the_same(page: Page, wickersea: dict[str, Any]) -> None:
    asked = page.locator("fieldset.quiz li").first
    page.goto(f"/library/{wickersea['id']}/quiz?upto=5")
    expect(asked).to_be_visible()
    page.get_by_label("About").select_option("near")
    page.get_by_role("button", name="New questions").press("Enter")
    expect(page.locator(".output")).not_to_have_attribute("aria-busy", "true")
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    page.get_by_role("button", name="Copy a link to this quiz").press("Enter")
    expect(page.get_by_text("Copied.")).to_be_visible()
    link, questions = page.evaluate("copied"), page.locator(".quiz").all_inner_texts()
    page.evaluate("localStorage.clear()")
    page.goto(link)
    expect(asked).to_be_visible()
    assert page.locator(".quiz").all_inner_texts() == questions
    expect(page.get_by_label("About")).to_have_value("near")
    expect(page.locator("#gate")).to_have_value("5")
    page.get_by_role("button", name="New questions").press("Enter")
    expect(page.locator(".output")).not_to_have_attribute("aria-busy", "true")
    assert page.locator(".quiz").all_inner_texts() != questions


def test_a_book_that_is_too_short(page: Page, client: httpx.Client) -> None:
    page.goto(f"/library/{upload(client, b'Martha slept.')['id']}")
    expect(page.get_by_text("No characters were found.")).to_be_visible()
    expect(page.get_by_role("link", name="Compare people")).to_have_count(0)
    page.get_by_role("link", name="Quiz").click()
    expect(page.get_by_text("This book is too short, or has too few scenes, for a quiz.")).to_be_visible()
    expect(page.get_by_label("I have read up to").get_by_role("option").last).to_have_text("Chapter 1")


def test_a_chapter_that_arrives_late_does_not_take_the_place_of_the_one_that_is_read(
    page: Page, wickersea: dict[str, Any]
) -> None:
    late: list[Route] = []
    first = re.compile(r"/v1/.*/chapters/1\b")
    page.route(first, lambda route: late.append(route))
    page.goto(f"/library/{wickersea['id']}/read")
    page.get_by_label("Chapter", exact=True).select_option("6")
    quiz = page.get_by_role("navigation", name="Chapters").get_by_role("link", name="Quiz")
    expect(quiz).to_have_attribute("href", re.compile(r"chapter=6$"))
    with page.expect_response(first):
        late[0].continue_()
    page.unroute(first)
    page.evaluate("() => new Promise((shown) => setTimeout(shown, 100))")
    expect(quiz).to_have_attribute("href", re.compile(r"chapter=6$"))
    expect(page.get_by_label("Chapter", exact=True)).to_have_value("6")


def test_a_quiz_and_an_answer_are_printed_without_what_works_only_on_a_screen(
    page: Page, wickersea: dict[str, Any]
) -> None:
    page.goto("/livez")
    page.evaluate("localStorage.setItem('bookworm.theme', 'dark')")
    page.emulate_media(media="print")
    page.goto(f"/library/{wickersea['id']}/quiz")
    expect(page.locator("fieldset.quiz li button").first).to_be_visible()
    expect(page.locator("#gate")).to_be_visible()
    answers = page.get_by_role("heading", name="Answers")
    expect(answers).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_label("Print the answers, too").check()
    expect(answers).to_be_hidden()
    page.emulate_media(media="print")
    expect(answers).to_be_visible()
    expect(page.locator(".answers li")).to_have_count(5)
    for part in ("header", ".ask-book", "form:has([name=kind])"):
        expect(page.locator(part).first).to_be_hidden()
    page.goto(f"/library/{wickersea['id']}/ask?q=What+was+in+the+tin+box%3F")
    expect(page.locator(".sources li").first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
