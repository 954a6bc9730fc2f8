"""What readers do, in a real browser: from the upload to a corrected cast, and no word past the gate."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, Route, expect

from tests.http.conftest import upload
from tests.http.story import STORY, story

LATER = "Captain Roe"
"""Whom only the second chapter knows."""


def opened(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("main")).not_to_have_attribute("aria-busy", "true")


def read_up_to(page: Page, chapter: str) -> None:
    page.locator("#gate").select_option(chapter)
    expect(page.locator(".gate")).to_contain_text("Nothing after this chapter")


def test_from_upload_to_a_cited_description(page: Page, tmp_path: Path) -> None:
    novel = tmp_path / "lamp.txt"
    novel.write_bytes(story())
    opened(page, "/")
    page.set_input_files("#files", novel)
    link = page.get_by_role("link", name="The Lamp at Harrow Quay").first
    expect(link).to_be_visible()
    expect(page.locator("main")).not_to_contain_text("queued")
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The Lamp at Harrow Quay")
    page.get_by_role("rowheader").get_by_role("link", name="Margaret Vane").click()
    answer = page.locator(".answer")
    expect(answer).to_contain_text("Margaret Vane")
    cite = answer.locator("a.cite").first
    quote = str(cite.locator(".peek").text_content()).removeprefix("Chapter 1 ").removeprefix("Chapter 2 ")
    cite.click()
    marks = page.locator("article.page mark")
    expect(marks.first).to_be_in_viewport()
    lit = "".join(marks.all_inner_texts())
    assert " ".join(lit.split()) == " ".join(quote.split())
    expect(page.locator("#whom option:checked")).to_have_text("Margaret Vane")


def test_a_file_that_is_no_book_is_refused_with_what_to_do(page: Page, tmp_path: Path) -> None:
    wrong = tmp_path / "picture.png"
    wrong.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    opened(page, "/")
    page.set_input_files("#files", wrong)
    expect(page.locator(".trouble")).to_contain_text("picture.png")
    assert len(page.locator(".trouble").inner_text()) > len("picture.png: ") + 20


def test_an_overruled_fact_stays_so_and_a_text_of_ones_own_is_checked(
    page: Page, book: dict[str, Any]
) -> None:
    opened(page, f"/library/{book['id']}/people/Margaret%20Vane")
    fact = page.locator(".verdicts > li").first
    expect(fact).to_be_visible()
    said = fact.locator(".chip").inner_text()
    assert said == "Quoted", "nothing else was checked of a sentence of the book"
    expect(page.locator(".tally")).to_contain_text("of the book")
    fact.locator("summary").click()
    fact.get_by_role("button", name="Uncertain" if said != "Uncertain" else "Contradicted").click()
    expect(page.locator(".verdicts > li").first).to_contain_text("marked by you")
    page.reload()
    again = page.locator(".verdicts > li").first
    expect(again).to_contain_text("marked by you")
    again.locator("summary").click()
    again.get_by_role("button", name="Undo").click()
    expect(page.locator(".verdicts > li").first.locator(".chip")).to_have_text(said)
    page.get_by_text("Check your own text").click()
    page.get_by_label("Paste a text about Margaret Vane to check").fill(
        "Margaret Vane is the sister of Agnes Vane."
    )
    page.get_by_role("button", name="Check", exact=True).click()
    checked = page.get_by_role("region", name="Result")
    expect(checked.locator(".verdicts > li")).to_have_count(1)
    assert checked.get_by_role("button").count() == 0


def test_behind_the_gate_nobody_hears_of_later_people(page: Page, book: dict[str, Any]) -> None:
    home = f"/library/{book['id']}"
    opened(page, home)
    expect(page.locator("main")).to_contain_text(LATER)
    read_up_to(page, "1")
    for path in ("", "/people/Margaret%20Vane", "/read", "/together"):
        opened(page, f"{home}{path}")
        page.wait_for_load_state("networkidle")
        expect(page.locator("main")).to_contain_text("Margaret")
        assert "Roe" not in page.locator("body").inner_text(), path
        assert "The Letter" not in str(page.locator("body").text_content()), "the title of a later chapter"
    opened(page, f"{home}/read#at={STORY.index(LATER)}-{STORY.index(LATER) + 5}")
    expect(page.locator(".warning")).to_contain_text("beyond what you have read")
    expect(page.locator("article.page h2")).to_contain_text("The Lamp")
    page.locator("article.page .quote", has_text="will catch").click()
    page.get_by_role("button", name="Change speaker").click()
    page.locator("#speaker").select_option(label="Agnes Vane")
    expect(page.locator("dialog .changes")).to_contain_text("1 quote")
    assert "Roe" not in str(page.locator("body").text_content())
    opened(page, f"{home}/corrections")
    expect(page.locator(".warning")).to_contain_text("contains spoilers")
    assert "Roe" not in str(page.locator("body").text_content())
    expect(page.locator("main")).to_contain_text("You have read up to chapter 1")
    page.get_by_role("button", name="Show the whole book").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.locator("main")).to_contain_text(LATER)
    opened(page, "/?q=Roe")
    search = page.get_by_role("region", name="Search")
    expect(search.get_by_role("status").first).to_contain_text("chapters you have not read are hidden")
    assert search.locator(f"a[href*='{book['id']}']", has_text=re.compile("Roe|chapter 2")).count() == 0
    opened(page, f"{home}/people/{LATER.replace(' ', '%20')}")
    expect(page.locator(".trouble")).to_contain_text("in the chapters you have read")
    page.locator("#gate").select_option("")
    expect(page.get_by_role("heading", level=1)).to_have_text(LATER)


def test_the_gate_is_set_with_the_keyboard(page: Page, book: dict[str, Any]) -> None:
    opened(page, f"/library/{book['id']}")
    gate = page.locator("#gate")
    gate.focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(gate).to_be_focused()
    expect(gate).to_have_value("2")
    expect(page.locator(".gate")).to_contain_text("Press Enter")
    assert page.evaluate("book => localStorage.getItem(`bookworm.gate.${book}`)", book["id"]) is None
    page.keyboard.press("Enter")
    expect(page.locator(".gate")).to_contain_text("Nothing after this chapter")
    gate.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    expect(page.locator("main")).not_to_contain_text(LATER)


def test_a_link_carries_the_place_and_says_so_where_another_was_known(
    page: Page, book: dict[str, Any]
) -> None:
    home = f"/library/{book['id']}"
    opened(page, f"{home}?upto=99")
    expect(page.get_by_role("heading", level=1)).to_have_text("How far have you read?")
    page.get_by_role("button", name="Open the book").press("Enter")
    expect(page.locator("#gate option:checked")).to_have_text("Nothing yet")
    page.evaluate("localStorage.clear()")
    for path in ("", "/people/Margaret%20Vane", "/quiz", "/read"):
        opened(page, f"{home}{path}?upto=1")
        expect(page.locator("#gate")).to_have_value("1")
        expect(page.locator(".said")).to_have_count(0 if path else 1)
        assert "upto" not in page.url
        assert "Roe" not in str(page.locator("main").text_content())
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    copy = page.get_by_role("button", name="Copy a link to this place")
    copy.press("Enter")
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert re.search(rf"{home}/read\?upto=1#at=(\d+)-\1$", page.evaluate("copied"))
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    copy.press("Enter")
    expect(page.get_by_label("The link to copy")).to_be_focused()
    opened(page, f"{home}?upto=end")
    said = page.locator(".said")
    expect(said).to_contain_text("This link set “I have read up to” to the end. It was chapter 1.")
    expect(page.locator("main")).to_contain_text(LATER)
    said.get_by_role("button", name="Back to chapter 1").press("Enter")
    expect(page.locator("#gate")).to_have_value("1")
    opened(page, f"{home}?upto=99")
    expect(page.locator(".warning")).to_have_text(
        "The link gives “99” as your place. This book has no such chapter."
    )
    expect(page.locator("#gate")).to_have_value("1")


def test_long_names_fit_the_network(page: Page, client: httpx.Client) -> None:
    book = upload(client, story(77).replace(b"Margaret Vane", b"Wilhelmina Abernathy-Featherstone"))
    opened(page, f"/library/{book['id']}")
    label = page.locator(".network text", has_text="Wilhelmina")
    expect(label).to_have_text("Wilhelmina Abernathy-Fe…")
    named, drawn = label.bounding_box(), page.locator(".network svg").bounding_box()
    assert named is not None
    assert drawn is not None
    assert drawn["x"] <= named["x"]
    assert named["x"] + named["width"] <= drawn["x"] + drawn["width"]


def test_on_a_phone_names_in_the_network_can_be_read_and_a_row_shows_where_somebody_appears(
    page: Page, book: dict[str, Any]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, f"/library/{book['id']}")
    label = page.locator(".network text").first
    expect(label).to_be_visible()
    letters = label.evaluate("(text) => 22 * text.getScreenCTM().a")
    assert letters >= 11
    strip = page.locator(".people .strip").first.bounding_box()
    assert strip is not None
    assert strip["width"] > 200
    assert strip["x"] + strip["width"] <= 390


def test_who_people_are_is_saved_and_said_in_the_list_and_on_their_pages(
    page: Page, book: dict[str, Any]
) -> None:
    home = f"/library/{book['id']}"
    opened(page, home)
    with page.expect_download() as saved:
        page.get_by_role("button", name="CoNLL-2012").click()
    assert saved.value.suggested_filename.endswith(".conll")
    assert saved.value.path().read_text("utf-8").startswith("#begin document")
    row = page.get_by_role("row", name="Margaret Vane")
    expect(row.locator(".is")).to_contain_text("“")
    line = row.locator(".is").inner_text()
    row.get_by_role("link", name="Margaret Vane").click()
    who = page.locator("p.is")
    expect(who).to_contain_text(line)
    assert page.locator(".answer, .output").first.bounding_box() is not None
    expect(page.get_by_role("heading", name="Where in the book")).to_be_visible()
    card = page.locator(".profile")
    expect(card.get_by_role("heading", name="Nature", exact=True)).to_be_visible()
    counts = card.locator("details.counts")
    expect(counts.get_by_text("quotes")).to_be_hidden()
    counts.locator("summary").click()
    expect(counts.get_by_text("quotes")).to_be_visible()
    cite = card.locator("li", has=page.locator("q")).first.locator("a.cite")
    quote = str(cite.get_attribute("title"))
    cite.click()
    marks = page.locator("article.page mark")
    expect(marks.first).to_be_in_viewport()
    assert " ".join("".join(marks.all_inner_texts()).split()) == " ".join(quote.split())


def test_an_edge_opens_the_passages_that_it_rests_on(page: Page, book: dict[str, Any]) -> None:
    opened(page, f"/library/{book['id']}")
    pair = page.locator(".pairs button").first
    one, other = pair.inner_text().split(" – ")
    pair.click()
    passage = page.locator(".detail .passages li").first
    words = passage.locator(".clipped").inner_text()
    passage.get_by_role("link").click()
    marks = page.locator("article.page mark")
    expect(marks.first).to_be_in_viewport()
    assert " ".join(words.split()) == " ".join("".join(marks.all_inner_texts()).split())
    page.go_back()
    page.locator("#far").fill("1")
    expect(page.locator("output[for=far]")).to_have_text("chapter 1 of 2")
    expect(page.locator(".network text", has_text=LATER)).to_have_count(0)
    for name in (one, other):
        expect(page.locator(".network text", has_text=name)).to_have_count(1)


def test_who_is_meant_is_shown_where_it_is_asked_for(page: Page, book: dict[str, Any]) -> None:
    opened(page, f"/library/{book['id']}/read")
    pronoun = page.locator("article.page .mention", has_text=re.compile("^She$")).first
    pronoun.hover()
    expect(page.locator(".who")).to_contain_text("Margaret Vane")
    page.locator("#whom").select_option(label="Margaret Vane")
    expect(page.locator("article.page .mine").first).to_be_visible()
    stops = page.locator("article.page [tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    expect(page.locator(".who")).to_contain_text("Margaret Vane")
    for _ in range(100):
        if page.locator(":focus").inner_text() == "Dr. Pell":
            break
        page.keyboard.press("ArrowRight")
    expect(stops).to_have_text("Dr. Pell")
    expect(page.locator(".who")).to_contain_text("Dr. Pell")
    page.keyboard.press("Enter")
    expect(page.locator(".who").get_by_role("link", name="Dr. Pell")).to_be_focused()
    page.keyboard.press("Escape")
    expect(stops).to_be_focused()
    page.get_by_role("link", name="Next →").click()
    expect(page.locator("article.page h2")).to_contain_text("The Letter")


def test_the_reader_keeps_the_place(page: Page, book: dict[str, Any]) -> None:
    page.set_viewport_size({"width": 360, "height": 300})
    page.emulate_media(reduced_motion="reduce")
    read = f"/library/{book['id']}/read"
    opened(page, read)
    page.get_by_role("link", name="Next →").click()
    shown = page.locator("article.page:not([aria-busy])")
    expect(shown.locator("h2")).to_contain_text("The Letter")
    second, paragraph = page.url, shown.locator("p").nth(1)
    bar = "document.querySelector('.who').offsetHeight"
    paragraph.evaluate(f"(p) => scrollBy(0, p.getBoundingClientRect().top - {bar} + 40)")
    link = str(paragraph.locator("a.anchor").get_attribute("href"))
    span = [int(at) for at in link.split("#at=")[1].split("-")]
    page.wait_for_function("([start, end]) => start < history.state?.at && history.state.at < end", arg=span)
    kept = page.evaluate("scrollY")

    def there() -> None:
        expect(shown.locator("h2")).to_contain_text("The Letter")
        page.wait_for_function("kept => Math.abs(scrollY - kept) < 60", arg=kept)

    page.reload()
    there()
    # A click would scroll to the link first, and where the page rests there is the place that it keeps.
    page.get_by_role("link", name="← Previous").dispatch_event("click")
    expect(shown.locator("h2")).to_contain_text("The Lamp")
    page.go_back()
    there()
    opened(page, f"/library/{book['id']}")
    page.go_back()
    there()
    opened(page, f"/library/{book['id']}")
    page.get_by_role("link", name="Read", exact=True).click()
    there()
    assert page.url == second, "the address is that of the chapter, for whoever copies it"
    looked_up = STORY.index("Margaret Vane lit")
    opened(page, f"{read}#at={looked_up}-{looked_up + 8}")
    expect(shown.locator("mark")).to_be_in_viewport()
    page.wait_for_function("() => history.state")
    page.goto("/livez")
    opened(page, read)
    there()
    opened(page, f"{read}#at={looked_up}-{looked_up + 8}")
    expect(shown.locator("mark")).to_be_in_viewport()
    read_on = shown.locator("p").nth(2)
    read_on.evaluate(f"(p) => scrollBy(0, p.getBoundingClientRect().top - {bar})")
    expect(shown.locator("mark")).not_to_be_in_viewport()
    page.wait_for_function("at => history.state?.at > at", arg=looked_up + 8)
    page.goto("/livez")
    opened(page, read)
    expect(shown.locator("h2")).to_contain_text("The Lamp")
    expect(read_on).to_be_in_viewport()


def test_a_place_that_is_not_read_yet_is_kept_until_it_is(page: Page, book: dict[str, Any]) -> None:
    read = f"/library/{book['id']}/read"
    title = page.locator("article.page:not([aria-busy]) h2")

    def warned() -> None:
        expect(page.locator(".warning")).to_contain_text("beyond what you have read")
        expect(title).to_contain_text("The Lamp")
        page.wait_for_timeout(400)  # longer than the page waits before it keeps a place

    start = STORY.index(LATER)
    opened(page, f"{read}?upto=1#at={start}-{start + len(LATER)}")
    warned()
    page.reload()
    warned()
    page.locator("#gate").select_option("2")
    expect(page.locator("article.page mark")).to_be_in_viewport()
    expect(title).to_contain_text("The Letter")
    page.get_by_role("link", name="← Previous").click()
    page.get_by_role("link", name="Next →").click()
    expect(title).to_contain_text("The Letter")
    page.wait_for_function("() => history.state")
    page.locator("#gate").select_option("1")
    warned()
    page.locator("#gate").select_option("2")
    expect(title).to_contain_text("The Letter")
    opened(page, f"{read}?upto=1")
    warned()
    page.get_by_role("button", name="Back to chapter 2").click()
    expect(title).to_contain_text("The Letter")
    expect(page.locator(".warning")).to_have_count(0)


def test_a_chapter_that_did_not_come_is_asked_for_again(page: Page, book: dict[str, Any]) -> None:
    """A click on the text takes the keyboard to no other place."""

    def clicked() -> None:
        page.locator("article.page h2").click(position={"x": 2, "y": 2})
        assert page.evaluate("document.activeElement === document.body"), "or Tab would start at the top"

    opened(page, f"/library/{book['id']}/read")
    clicked()
    page.route("**/chapters/2?*", lambda route: route.abort())
    page.route("**/chapters/2", lambda route: route.abort())
    page.get_by_role("link", name="Next →").press("Enter")
    again = page.get_by_role("button", name="Try again")
    for _ in range(2):
        expect(page.locator("article.page .trouble")).to_contain_text("not responding")
        expect(again).to_be_focused()
        with page.expect_event("requestfailed"):
            again.press("Enter")
    expect(again).to_be_focused()
    page.unroute_all()
    again.press("Enter")
    expect(page.get_by_role("article", name="CHAPTER II. The Letter", exact=True)).to_be_focused()
    page.get_by_role("link", name="Quiz").focus()
    clicked()


def test_more_passages_take_the_focus(page: Page, book: dict[str, Any]) -> None:
    def page_by_page(route: Route) -> None:
        address = route.request.url
        found = route.fetch(url=address.replace("&cursor=more", "")).json()
        route.fulfill(json={**found, "next": None if "cursor" in address else "more"})

    opened(page, f"/library/{book['id']}")
    page.route("**/meetings?*", lambda route: route.abort())
    page.locator(".pairs button").first.press("Enter")
    more, trouble = page.get_by_role("button", name="More passages"), page.locator(".detail .trouble")
    expect(trouble).to_contain_text("not responding")
    with page.expect_event("requestfailed"):
        more.press("Enter")
    expect(more).to_be_focused()
    expect(trouble).to_have_count(1)
    page.unroute_all()
    page.route("**/meetings?*", page_by_page)
    more.press("Enter")
    passages = page.locator(".detail .passages li")
    expect(passages.first.get_by_role("link")).to_be_focused()
    expect(trouble).to_have_count(0)
    before = passages.count()
    more.press("Enter")
    expect(passages.nth(before).get_by_role("link")).to_be_focused()


def test_any_words_have_an_address(page: Page, book: dict[str, Any]) -> None:
    opened(page, f"/library/{book['id']}/read")
    expect(page.locator("article.page .mention").first).to_be_visible()
    link = page.get_by_role("button", name="Link to selection")
    expect(link).to_be_hidden()
    said = page.evaluate("""() => {
      const named = [...document.querySelectorAll('article.page p')].map((p) => p.querySelector('.mention'));
      const [first, last] = named.filter(Boolean).map((mention) => mention.firstChild);
      getSelection().setBaseAndExtent(first, 1, last, 2);
      return getSelection().toString();
    }""")
    link.click()
    marks = page.locator("article.page mark")
    expect(marks.first).to_be_in_viewport()
    lit = "".join(marks.all_inner_texts())
    assert re.sub(r"\W|Correct", "", said) == re.sub(r"\W", "", lit)
    start, end = map(int, page.url.split("#at=")[1].split("-"))
    assert re.sub(r"\W", "", STORY[start:end]) == re.sub(r"\W", "", lit)


HOSTILE = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"


def test_a_hostile_book_is_only_text_and_marked_words_are_stressed(page: Page, client: httpx.Client) -> None:
    text = story().decode().replace("Margaret Vane lit", f"{HOSTILE} _Margaret Vane_ \U0001f56f lit")
    book = upload(client, text.encode(), title=HOSTILE)
    for path in ("", "/read", "/people/Margaret%20Vane", "/together", "/corrections"):
        opened(page, f"/library/{book['id']}{path}")
        page.wait_for_load_state("networkidle")
        assert page.title() != "taken"
        assert page.locator("main img, main script").count() == 0
    opened(page, f"/library/{book['id']}/read")
    expect(page.locator("article.page")).to_contain_text("<script>document.title='taken'</script>")
    stressed = page.locator("article.page em")
    expect(stressed).to_have_text("Margaret Vane")
    expect(page.locator("article.page")).not_to_contain_text("_")
    stressed.hover()
    expect(page.locator(".who")).to_contain_text("Margaret Vane")
    client.delete(f"/books/{book['id']}")


def test_what_is_not_there_is_said_plainly(page: Page) -> None:
    for path in ("/library/bk_none", "/library/bk_none/people/ann", "/library/bk_none/read"):
        opened(page, path)
        expect(page.locator(".trouble")).to_contain_text("no book")
        expect(page.locator(".crumbs").get_by_role("link", name="Library")).to_be_visible()


def test_a_page_of_nobody_leads_on(page: Page, book: dict[str, Any]) -> None:
    opened(page, f"/library/{book['id']}/people/nobody")
    expect(page.locator(".trouble")).to_contain_text("list of people")
    page.get_by_role("link", name="People of this book").click()
    expect(page.get_by_role("rowheader").get_by_role("link", name="Margaret Vane")).to_be_visible()


def test_an_unknown_address_leads_home(page: Page) -> None:
    page.goto("/nope")
    expect(page).to_have_title("Page not found · Bookworm")
    page.get_by_role("link", name="Go to the library").click()
    expect(page).to_have_title("Library · Bookworm")
