"""An editor at work: what a preview says then happens, in the cast, the reader and the chapters; and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.dashboard.test_journey import opened, read_up_to
from tests.http.conftest import WAIT
from tests.http.story import STORY, story
from tests.http.test_chapters import done as processed
from tests.http.test_previews import TWO_ROES, Desk

_copies = count(1000)
DEATH = "“You will catch your death,”"


@pytest.fixture(scope="module", autouse=True)
def _library_as_it_was(base: str) -> Iterator[None]:
    """A search in the library finds only so many passages, and the copies made here have the same words."""

    def books() -> set[str]:
        return {each["id"] for each in client.get("/books", params={"limit": 100}).json()["items"]}

    with httpx.Client(base_url=f"{base}/v1", timeout=WAIT) as client:
        before = books()
        yield
        for copy in books() - before:
            client.delete(f"/books/{copy}")


@pytest.fixture
def desk(client: httpx.Client) -> Desk:
    """With a copy of its own, that nobody has corrected."""
    return Desk(client, story(next(_copies)).decode())


def home(desk: Desk) -> str:
    return f"/library{desk.at.removeprefix('/books')}"


def corrections(page: Page, desk: Desk, hash_: str = "") -> None:
    opened(page, f"{home(desk)}/corrections{hash_}")


def done(page: Page, words: str) -> None:
    expect(page.locator(".said")).to_contain_text(words)


def take_back(page: Page, words: str, *, at: int = 0) -> None:
    entry = page.locator(".log > li").nth(at)
    entry.get_by_role("button", name="Undo").click()
    expect(entry.locator(".preview")).to_contain_text(words)
    entry.get_by_role("button", name="Undo", exact=True).click()


def test_the_corrections_of_another_draft_are_copied(page: Page, client: httpx.Client) -> None:
    """It is found by its long title, behind other books."""
    title = ("The Lamp " * 30).strip()
    desk = Desk(client, story(next(_copies)).decode(), title=title)
    margaret = desk.id("Margaret Vane")
    desk.post("/decisions", {"kind": "rename", "character": margaret, "name": "The keeper"})
    start = STORY.index("Margaret Vane lit")
    lit = {"start": start, "end": start + len("Margaret Vane")}
    desk.post("/decisions", {"kind": "split", "character": margaret, "name": "A ghost", "spans": [lit]})
    later = Desk(client, story(next(_copies)).decode(), title=title)
    revised = Desk(client, STORY.replace("for eleven years", f"for {next(_copies)} years"), title=title)
    asked: list[str] = []

    def in_pages(route: Route) -> None:
        asked.append(route.request.url)
        if "cursor=" in route.request.url:
            route.continue_(url=re.sub("cursor=second&?", "", route.request.url))
        else:
            route.fulfill(json={"items": [], "next": "second"})

    page.route("**/v1/books?*", in_pages)
    corrections(page, revised)
    draft = page.get_by_label("Draft", exact=True)
    expect(draft).to_have_value(later.at.removeprefix("/books/"))
    assert len(asked) == 2
    draft.select_option(desk.at.removeprefix("/books/"))
    page.get_by_role("button", name="Copy corrections").click()
    done(page, "The corrections were copied, except 1:")
    done(page, "Its passage was changed.")
    expect(page.locator(".log")).to_contain_text("Margaret Vane was renamed to The keeper")


def test_the_forms_say_what_would_change_and_what_does_not_fit(page: Page, book: dict[str, Any]) -> None:
    """Without a list of drafts, too."""
    page.route("**/v1/books?*", lambda route: route.fulfill(status=500, json={}))
    opened(page, f"/library/{book['id']}/corrections#wrong=rename")
    expect(page.get_by_label("Draft", exact=True)).to_have_count(0)
    changes = page.locator("form .changes")
    page.locator("#rename-who").select_option(label="Agnes Vane")
    page.locator("#rename-name").fill("Dr. Pell")
    expect(changes).to_contain_text(re.compile(r"already means Dr\. Pell \(\d+ mention"))
    expect(page.get_by_role("button", name="Rename")).to_be_enabled()
    page.get_by_label("Remove a person").check()
    page.locator("#hide-who").select_option(label="Dr. Pell")
    expect(changes).to_contain_text(
        re.compile("mentions will refer to nobody.*1 quote will have no speaker", re.S)
    )
    page.get_by_label("Set narrator").check()
    page.locator("#narrator-who").select_option(label="Dr. Pell")
    page.locator("#narrator-from").select_option("1")
    expect(page.locator("form.correct .trouble")).to_contain_text("Nobody says “I” outside quotes there")
    expect(page.get_by_role("button", name="Set narrator")).to_be_disabled()


def test_merging_by_keyboard_and_taking_it_back(page: Page, desk: Desk) -> None:
    """What is sent again, as its answer was lost, is stored once. Then readers know it after chapter 2."""
    before = desk.people()
    corrections(page, desk)
    page.locator("#merge-into").focus()
    page.keyboard.type("Margaret")
    page.keyboard.press("Tab")
    page.keyboard.type("Agnes")
    form = page.locator("form.correct")
    expect(form.locator(".changes")).to_contain_text("Agnes Vane is removed")
    counts = re.search(r"Margaret Vane has (\d+) mentions", form.inner_text())
    assert counts is not None
    assert desk.people() == before
    page.keyboard.press("Tab")
    expect(form.get_by_label("Readers know it after")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(form.get_by_role("button", name="Merge")).to_be_focused()
    page.keyboard.press("Enter")
    done(page, "Agnes Vane was merged into Margaret Vane")
    assert [count for name, count, _ in desk.people().values() if name == "Margaret Vane"] == [int(counts[1])]

    def lost(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/decisions", lost, times=1)
    take_back(page, "Agnes Vane is added")
    entry = page.locator(".log > li").first
    expect(entry).to_contain_text("The server is not responding.")
    entry.get_by_role("button", name="Undo", exact=True).click()
    done(page, "Undone")
    assert [each["kind"] for each in desk.get("/decisions")["items"]] == ["merge", "undo"]
    assert desk.people() == before
    expect(entry).to_contain_text("(undone)")
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".log .changes")).to_contain_text("Agnes Vane is removed")

    agnes = desk.id("Agnes Vane")
    page.locator("#merge-into").select_option(label="Margaret Vane")
    page.locator("#merge-other").select_option(label="Agnes Vane")
    page.get_by_label("Readers know it after").select_option("2")
    page.get_by_role("button", name="Merge", exact=True).click()
    done(page, "Agnes Vane was merged into Margaret Vane, revealed in ch. 2")
    seen = [desk.get("/characters", upto=upto)["items"] for upto in ("1", "2")]
    assert [agnes in {c["id"] for c in people} for people in seen] == [True, False]


def added(page: Page, words: str) -> int:
    """The number of mentions that the preview gives A Cousin, as soon as it says it in words like these."""
    found = page.locator("form .changes")
    expect(found).to_contain_text(re.compile(rf"A Cousin is added, with {words}"))
    return int(re.search(r"A Cousin is added, with (\d+)", found.inner_text())[1])  # type: ignore[index]


def test_the_log_says_what_has_no_effect_and_what_was_corrected_elsewhere(page: Page, desk: Desk) -> None:
    agnes = desk.id("Agnes Vane")
    desk.post("/decisions", {"kind": "split", "character": agnes, "name": "Nan", "aliases": ["Agnes"]})
    desk.post("/decisions", {"kind": "rename", "character": desk.id("Nan"), "name": "Aunt"})
    corrections(page, desk)
    entries = page.locator(".log > li")
    split = entries.last
    split.get_by_role("button", name="Undo").click()
    expect(split.locator(".preview")).to_contain_text("no longer have an effect: Nan was renamed to Aunt.")
    split.get_by_role("button", name="Undo", exact=True).click()
    done(page, "Undone")
    expect(entries.first).to_contain_text("renamed to Aunt (no effect")
    desk.post("/decisions", {"kind": "undo", "undoes": 2})
    desk.post("/decisions", {"kind": "hide", "character": desk.id("Dr. Pell")})
    page.get_by_label("Rename a person").check()
    page.locator("#rename-who").select_option(label="Dr. Pell")
    page.locator("#rename-name").fill("The Doctor")
    done(page, "corrected elsewhere meanwhile")
    done(page, "Dr. Pell was removed")
    expect(page.locator(".said")).to_be_focused()
    expect(page.locator("#rename-who option", has_text="Dr. Pell")).to_have_count(0)
    numbers = entries.evaluate_all("rows => rows.map(row => row.value)")
    made = desk.get("/decisions")["items"]
    assert numbers == [d["number"] for d in made if d["kind"] != "undo"][::-1] == [5, 2, 1]
    many = [{**made[-1], "number": number} for number in range(1, 23)]
    page.route("**/decisions", lambda route: route.fulfill(json={"items": many}))
    corrections(page, desk)
    page.get_by_role("button", name="Show all 22").press("Enter")
    expect(entries).to_have_count(22)
    expect(entries.nth(20).get_by_role("button", name="Undo")).to_be_focused()


@pytest.mark.soak
def test_splitting_by_names_that_are_picked_and_renaming(page: Page, desk: Desk) -> None:
    corrections(page, desk)
    page.get_by_label("Split a person").check()
    page.locator("#split-who").select_option(label="Agnes Vane")
    box = page.get_by_role("checkbox", name=re.compile(r"^Agnes \d+ times$"))
    names = int(box.locator("xpath=..").inner_text().split()[1])
    box.check()
    expect(page.locator("#split-name")).to_have_value("Agnes")
    page.locator("#split-name").fill("A Cousin")
    assert added(page, r"\d+ mentions and 3 quotes") > names
    page.get_by_label("Pronouns and quotes go").uncheck()
    assert added(page, rf"{names} mentions(?! and)") == names
    page.locator("#split-from").select_option("1")
    parts = added(page, rf"(?!{names}\b)\d+ mentions")
    assert parts > names
    page.get_by_role("button", name="Split").click()
    done(page, "“Agnes” and parts of the text (the first in ch. 1) were split from Agnes Vane as A Cousin")
    assert desk.people()[desk.id("A Cousin")][1] == parts
    page.get_by_label("Rename a person").check()
    page.locator("#rename-who").select_option(label="A Cousin")
    page.locator("#rename-name").fill("Aunt Agnes")
    page.get_by_role("button", name="Rename").click()
    done(page, "was renamed to Aunt Agnes")
    assert "Aunt Agnes" in {name for name, _, _ in desk.people().values()}


@pytest.mark.soak
def test_the_queue_shows_both_and_is_settled(page: Page, client: httpx.Client) -> None:
    desk = Desk(client, TWO_ROES)
    doubts = desk.get("/doubts")["items"]
    corrections(page, desk)
    first = page.locator(".pair").first
    expect(first).to_have_css("color", page.evaluate("getComputedStyle(document.body).color"))
    for side in ("one", "other"):
        expect(first).to_contain_text(doubts[0][side]["place"]["text"])
    at = doubts[0]["place"]["span"]["start"]
    expect(first.locator(f'a[href*="{at}"]').first).to_be_visible()
    first.get_by_role("button", name="Same person").click()
    expect(first.locator(".preview")).to_contain_text(f"{doubts[0]['other']['name']} is removed")
    expect(first.locator(".preview")).to_contain_text(f"{doubts[0]['impact']} mentions")
    first.get_by_role("button", name="Different people").click()
    done(page, "different people")
    expect(page.locator(".pair")).to_have_count(len(doubts) - 1)
    take_back(page, "Back in possible duplicates")
    expect(page.locator(".pair")).to_have_count(len(doubts))


GRUNDY = (
    "CHAPTER I\n\n“You are a slave to Mrs. Grundy,” said the doctor.\n\n"
    + "She looked at her hands. She sighed.\n\n" * 20
)


@pytest.mark.soak
def test_a_doubtful_person_is_confirmed_and_not_asked_about_again(page: Page, client: httpx.Client) -> None:
    desk = Desk(client, GRUNDY)
    assert [d["character"]["name"] for d in desk.get("/doubts")["people"]] == ["Mrs. Grundy"]
    corrections(page, desk)
    asked = page.locator(".pair", has_text="Is Mrs. Grundy really one person?")
    asked.get_by_role("button", name="One person").click()
    done(page, "Mrs. Grundy was marked as one person")
    expect(asked).to_have_count(0)
    assert desk.get("/doubts")["people"] == []
    entry = page.locator(".log > li").first
    entry.get_by_role("button", name="Undo").click()
    entry.get_by_role("button", name="Undo", exact=True).click()
    expect(asked).to_be_visible()


def asked_who_speaks(page: Page) -> Locator:
    """A click between the mentions of the quote."""
    page.locator("article.page .quote", has_text="will catch").click()
    return page.locator(".who")


def test_who_speaks_and_who_is_meant_is_fixed_in_the_reader(page: Page, desk: Desk) -> None:
    opened(page, f"{home(desk)}/read")
    expect(asked_who_speaks(page)).to_contain_text("Said by Dr. Pell")
    page.get_by_role("button", name="Change speaker").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("#speaker").select_option(label="Agnes Vane")
    expect(dialog.locator(".changes")).to_contain_text("1 quote")
    dialog.get_by_role("button", name="Save who speaks").click()
    who = page.locator(".who")
    expect(who).to_contain_text(f"Saved: {DEATH} (ch. 1): speaker changed to Agnes Vane.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".who [tabindex='-1']")).to_be_focused()
    expect(asked_who_speaks(page)).to_contain_text("Said by Agnes Vane")
    assert desk.quote(DEATH)["speaker"] == desk.id("Agnes Vane")

    page.locator("article.page .mention", has_text=re.compile("^Margaret$")).first.click()
    expect(who).to_contain_text("This is Margaret Vane")
    who.get_by_role("button", name="Change", exact=True).click()
    expect(dialog.locator("form")).to_have_count(1)
    expect(dialog.locator("#mention option:checked")).to_have_text("“Margaret”: Margaret Vane")
    labels = dialog.locator("#mention option").all_inner_texts()
    assert any(re.match("“her” in “… .*pulled her shawl", label) for label in labels)
    assert len(set(labels)) == len(labels)
    dialog.locator("#meant").select_option(label="Agnes Vane")
    expect(dialog.locator(".changes")).to_contain_text("6 mentions")
    dialog.get_by_label("Also the pronouns").uncheck()
    expect(dialog.locator(".changes")).to_contain_text("1 mention")
    dialog.get_by_label("“Margaret” in this chapter").check()
    expect(dialog.locator(".changes")).to_contain_text("4 mentions")
    dialog.get_by_label("Only here").check()
    expect(dialog.locator(".changes")).to_contain_text("1 mention")
    dialog.get_by_role("button", name="Save").click()
    expect(who).to_contain_text(
        "“Margaret” refers to Margaret Vane in other places (6 mentions would change)"
    )
    who.get_by_role("button", name="Correct these too").click()
    expect(who.locator(".changes")).to_contain_text("6 mentions")
    who.get_by_role("button", name="Save", exact=True).click()
    expect(who).to_have_text(re.compile("^Saved"))

    counts = {name: count for name, count, _ in desk.people().values()}
    corrections(page, desk)
    entries = page.locator(".log > li")
    expect(entries.first).to_contain_text("“Margaret” now refers to Agnes Vane instead of")
    expect(entries.nth(1)).to_contain_text("(ch. 1) now refers to Agnes Vane")
    expect(entries.last).to_contain_text(DEATH)
    take_back(page, "6 mentions")
    done(page, "Undone")
    back = {name: count for name, count, _ in desk.people().values()}
    assert back["Margaret Vane"] == counts["Margaret Vane"] + 6
    take_back(page, "said by Dr. Pell instead of Agnes Vane", at=-1)
    expect(entries.last).to_contain_text("(undone)")
    assert desk.quote(DEATH)["speaker"] == desk.id("Dr. Pell")


@pytest.mark.soak
def test_somebody_who_is_not_listed_is_added_in_the_reader(page: Page, desk: Desk) -> None:
    opened(page, f"{home(desk)}/read")
    paragraph = page.locator("article.page p", has_text="Her sister Agnes Vane sat")
    paragraph.get_by_role("button", name="Correct this paragraph").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("#mention").select_option(label="“She”: Agnes Vane")
    expect(dialog.get_by_role("group", name="Where?")).to_be_hidden()
    expect(dialog.locator("#meant-new")).to_be_hidden()
    dialog.locator("#meant").select_option(label="Somebody new …")
    expect(dialog.locator(".preview")).to_contain_text("Choose who is meant")
    dialog.locator("#meant-new").fill("A Stranger")
    expect(dialog.locator(".changes")).to_contain_text("A Stranger is added, with 1 mention")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator(".who")).to_contain_text("Saved")
    assert desk.people()[desk.id("A Stranger")] == ("A Stranger", 1, 0)
    page.locator("article.page .mention[title='A Stranger']").click()
    page.locator(".who").get_by_role("button", name="Change", exact=True).click()
    dialog.locator("#meant").select_option(label="Nobody in the list")
    expect(dialog.locator(".changes")).to_contain_text("A Stranger is removed")
    dialog.get_by_role("button", name="Save").click()
    page.locator("article.page .unlisted", has_text=re.compile("^She$")).first.click()
    expect(page.locator(".who")).to_contain_text("Somebody who is not listed")


def test_a_narrator_without_a_name_tells_a_part(page: Page, client: httpx.Client) -> None:
    desk = Desk(
        client, f"{STORY}\n\nCHAPTER III. The Diary\n\nI saw Agnes again. I asked her to wait for me.\n"
    )
    corrections(page, desk)
    page.get_by_label("Set narrator").check()
    expect(page.locator("#narrator-name")).to_be_hidden()
    page.locator("#narrator-who").select_option(label="Somebody who is not listed …")
    page.locator("#narrator-name").fill("the diarist")
    page.locator("#narrator-from").select_option("3")
    expect(page.locator("#narrator-to")).to_have_value("3")
    expect(page.locator("form .changes")).to_contain_text("the diarist is added, with 3 mentions")
    page.get_by_role("button", name="Set narrator").click()
    done(page, "the diarist was set as narrator from ch. 3")
    assert desk.people()[desk.id("the diarist")] == ("the diarist", 3, 0)
    page.locator("#narrator-who").select_option(label="Nobody: no “I” tells the story")
    page.locator("#narrator-from").select_option("1")
    expect(page.locator("form .trouble")).to_contain_text("Nobody says “I” outside quotes there")
    take_back(page, "the diarist is removed")
    done(page, "Undone")


def test_a_chapter_is_begun_in_the_reader_and_taken_back(page: Page, desk: Desk) -> None:
    found = desk.get("/chapters")["chapters"]
    opened(page, f"{home(desk)}/read")
    paragraph = page.locator("article.page p", has_text="Her sister Agnes Vane sat")
    paragraph.get_by_role("button", name="Correct this paragraph").focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Start a chapter here").click()
    title = page.get_by_label("Title of chapter 2")
    expect(title).to_be_focused()
    title.fill("The Window")
    plan = page.locator("section", has=page.locator("#starts")).locator(".changes")
    expect(plan).to_contain_text("3 chapters instead of 2")
    expect(plan).to_contain_text("“The Window”")
    assert desk.get("/chapters")["chapters"] == found
    page.get_by_role("button", name="Save and reprocess the book").click()
    done(page, "Chapters saved")
    assert [c["title"] for c in desk.get("/chapters")["chapters"]][1] == "The Window"
    page.get_by_role("button", name="Remove the start of chapter 2").click()
    expect(plan).to_contain_text("Merged into the previous chapter: “The Window”")
    page.get_by_role("button", name="Restore the original chapters").click()
    done(page, "Original chapters restored")
    assert desk.get("/chapters")["chapters"] == found


def test_a_book_is_processed_again(page: Page, desk: Desk) -> None:
    """Also where its events stop before it is done. What fails before says so."""
    corrections(page, desk)
    button = page.get_by_role("button", name="Process again")
    page.route("**/reprocess", lambda route: route.fulfill(status=503, json={"detail": "Not now."}))
    button.press("Enter")
    trouble = page.locator("section", has=button).locator(".trouble")
    expect(trouble).to_contain_text("Not now.")
    expect(button).to_be_focused()
    page.unroute_all()
    cancelled = {"state": "cancelled", "error": None, "remedy": None}
    page.route("**/v1/jobs/*", lambda route: route.fulfill(json={**route.fetch().json(), **cancelled}))
    button.press("Enter")
    expect(trouble).to_contain_text("The book was not processed again.Press the button again.")
    expect(button).to_be_focused()
    page.unroute_all()
    nothing_else_is_written_meanwhile(page, button)
    asked: list[str] = []

    def running_at_first(route: Route) -> None:
        asked.append(route.request.url)
        job = route.fetch().json()
        route.fulfill(json={**job, "state": "running"} if len(asked) == 1 else job)

    page.route("**/events", lambda route: route.fulfill(content_type="text/event-stream", body=""))
    page.route("**/v1/jobs/*", running_at_first)
    button.press("Enter")
    done(page, "The book was processed again.")
    assert len(asked) > 1


def nothing_else_is_written_meanwhile(page: Page, button: Locator) -> None:
    """As long as the book is processed; then it is not known how that ended."""
    held: list[Route] = []
    page.route("**/events", lambda route: held.append(route))
    with page.expect_request("**/events"):
        button.click()
    inert = page.locator("main [inert] #merge-into")
    expect(inert).to_have_count(1)
    expect(page.locator("main [inert]").get_by_role("button", name="Cancel processing")).to_have_count(0)
    expect(page.get_by_role("button", name="Cancel processing")).to_be_visible()
    held[0].fulfill(status=403, json={"detail": "No more."})
    expect(inert).to_have_count(0)
    page.unroute_all()


def test_a_book_that_has_other_chapters_since_opens_nothing_unread(page: Page, desk: Desk) -> None:
    """Where it is not known how processing ended, nothing counts as read."""
    first, second = desk.get("/chapters")["chapters"]
    read = f"bookworm.gate.{desk.at.removeprefix('/books/')}"
    opened(page, home(desk))
    read_up_to(page, "2")
    corrections(page, desk)
    page.get_by_role("button", name="Show the whole book").click()
    meanwhile: list[str] = []

    def events(route: Route) -> None:
        meanwhile.append(page.evaluate("key => localStorage.getItem(key)", read))
        found = {**desk.get("/chapters"), "chapters": [{**first, "end": second["end"]}]}
        page.route("**/chapters", lambda route: route.fulfill(json=found))
        route.continue_()

    page.route("**/events", events)
    page.get_by_role("button", name="Process again").click()
    done(page, "The book was processed again. “I have read up to” is now chapter 1.")
    assert meanwhile == ["0@0"]
    page.unroute_all()
    corrections(page, desk)
    page.get_by_role("button", name="Show the whole book").click()
    page.get_by_label("Title of chapter 2").fill("The Quay")
    nothing_else_is_written_meanwhile(page, page.get_by_role("button", name="Save and reprocess the book"))
    part = page.locator("section", has=page.locator("#starts"))
    expect(part.locator(".trouble")).to_contain_text("No more.")
    expect(part.get_by_role("button", name="Discard changes")).to_be_enabled()
    assert page.evaluate("key => localStorage.getItem(key)", read) == "0@0"


def test_other_chapters_open_nothing_unread(page: Page, client: httpx.Client) -> None:
    desk = Desk(
        client, f"{STORY}\n\nCHAPTER III. The Return\n\nMr. Mole came to the quay. Mr. Mole was late.\n"
    )
    read = f"bookworm.gate.{desk.at.removeprefix('/books/')}"

    def saved(number: str, words: str) -> None:
        page.get_by_role("button", name="Remove the start of chapter 2").click()
        page.get_by_role("button", name="Save and reprocess the book").click()
        done(page, words)
        assert page.evaluate("key => localStorage.getItem(key).split('@')[0]", read) == number

    opened(page, home(desk))
    read_up_to(page, "2")
    corrections(page, desk)
    page.get_by_role("button", name="Show the whole book").click()
    saved("1", "Chapters saved. “I have read up to” is now chapter 1.")
    page.get_by_role("button", name="Restore the original chapters").click()
    done(page, "Original chapters restored. “I have read up to” is now chapter 2.")
    page.evaluate("key => localStorage.setItem(key, '1')", read)
    saved("0", "Choose again how far you have read")
    for path in ("", "/read", "/search", "/quiz?chapter=1"):
        opened(page, f"{home(desk)}{path}")
        expect(page.locator("#gate option:checked")).to_have_text("Nothing yet")
        assert "Roe" not in str(page.locator("body").text_content())


def test_a_reader_keeps_the_place_when_somebody_else_corrects_the_chapters(
    page: Page, client: httpx.Client
) -> None:
    later = "".join(f"\n\nCHAPTER {n}. The Return\n\nMr. Mole came to the quay.\n" for n in ("III", "IV"))
    desk = Desk(client, STORY + later)
    sent: list[str] = []
    page.on("request", lambda request: sent.extend(re.findall("upto=ch%3A([0-9]+)", request.url)))
    # The second chapter begins no longer: the reader of three has read two, then the reader of all three has.
    for _ in range(2):
        opened(page, home(desk))
        read_up_to(page, "3")
        first, _, *others = desk.get("/chapters")["chapters"]
        starts = [{"start": c["start"], "title": c["title"]} for c in (first, *others)]
        page.wait_for_load_state("networkidle")
        processed(client, client.put(f"{desk.at}/chapters", json={"chapters": starts}))
        sent.clear()
        with page.expect_download():
            page.get_by_role("button", name="JSON", exact=True).click()
        opened(page, home(desk))
        expect(page.locator("#gate")).to_have_value("2")
        page.wait_for_load_state("networkidle")
        assert set(sent) == {"2"}, "nothing is requested with a number that is another chapter now"
