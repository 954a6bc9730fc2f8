"""What a correction would change is told before it is made, and is what it then does."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.http.conftest import Live, Shelf, upload
from tests.http.story import STORY

TWO_ROES = (
    STORY + "\n\nSir Edward Roe came in. Old Roe was his uncle. Sir Edward laughed. Edward Pell sat down.\n"
    "Edward was tired.\n"
)
"""In which it is doubtful who the Roes are."""
MARGARET = {"start": STORY.index("Margaret pulled"), "end": STORY.index(" pulled")}
SAID = "“Captain Roe would never take me where I did not wish to go,”"


class Desk:
    """A library of one's own with a book in it, to correct."""

    def __init__(self, client: httpx.Client, text: str = STORY, **parameters: str) -> None:
        self.client = client
        self.at = f"/books/{upload(client, text.encode(), **parameters)['id']}"

    def get(self, path: str, **parameters: Any) -> Any:
        answer = self.client.get(f"{self.at}{path}", params=parameters)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any, **parameters: Any) -> Any:
        answer = self.client.post(f"{self.at}{path}", json=body, params=parameters)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def people(self) -> dict[str, tuple[str, int, int]]:
        quotes = [q["speaker"] for q in self.quotes()]
        found = self.get("/characters")["items"]
        return {c["id"]: (c["name"], c["mention_count"], quotes.count(c["id"])) for c in found}

    def quotes(self) -> list[dict[str, Any]]:
        count = len(self.get("/chapters")["chapters"])
        leaves = [self.get(f"/chapters/{number + 1}") for number in range(count)]
        return [q for leaf in leaves for p in leaf["paragraphs"] for q in p["quotes"]]

    def quote(self, words: str) -> dict[str, Any]:
        start = STORY.index(words)
        return next(q for q in self.quotes() if q["span"] == {"start": start, "end": start + len(words)})

    def id(self, name: str) -> str:
        return next(key for key, (called, _, _) in self.people().items() if called == name)


@pytest.fixture
def desk(client: httpx.Client) -> Desk:
    return Desk(client)


def made(desk: Desk, kind: str) -> Any:
    """A decision of each kind that makes sense."""
    margaret, agnes, pell = (desk.id(name) for name in ("Margaret Vane", "Agnes Vane", "Dr. Pell"))
    return {
        "merge": {"kind": "merge", "character": margaret, "other": agnes},
        "split": {"kind": "split", "character": margaret, "name": "Peg", "aliases": ["Margaret"]},
        "rename": {"kind": "rename", "character": agnes, "name": "Nan"},
        "hide": {"kind": "hide", "character": pell},
        "narrator": {"kind": "narrator", "character": agnes},
        "speaker": {"kind": "speaker", "character": pell, "spans": [desk.quote(SAID)["span"]]},
        "nobody": {"kind": "speaker", "spans": [desk.quote(SAID)["span"]]},
        "mention": {"kind": "mention", "other": margaret, "character": agnes, "spans": [MARGARET]},
        "new": {
            "kind": "mention",
            "other": margaret,
            "name": "Peg",
            "aliases": ["Margaret"],
            "pronouns": True,
        },
    }[kind]


def test_a_preview_is_what_then_happens_and_its_undo_takes_it_back(desk: Desk) -> None:
    before = desk.people()
    kinds = ("merge", "split", "rename", "hide", "narrator", "speaker", "nobody", "mention", "new")
    for turn, kind in enumerate(kinds):
        decision = made(desk, kind)
        ahead = desk.post("/decisions/preview", decision)
        assert desk.people() == before, "nothing was written"
        number = desk.post("/decisions", decision)["number"]
        assert number == 2 * turn + 1, "nor into the log"
        after = desk.people()
        assert difference(ahead) == told(before, after), kind
        assert ahead["people"] or ahead["narrator_after"]["name"] == "Agnes Vane", kind
        back = desk.post("/decisions/preview", {"kind": "undo", "undoes": number})
        assert difference(back) == told(after, before), kind
        assert (back["mentions"], back["quotes"]) == (ahead["mentions"], ahead["quotes"])
        desk.post("/decisions", {"kind": "undo", "undoes": number})
        assert desk.people() == before


def told(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    keys = before | after
    return {k: (before.get(k), after.get(k)) for k in keys if before.get(k) != after.get(k)}


def difference(preview: dict[str, Any]) -> dict[str, Any]:
    """Who changes in a preview; without those who give as much as they get."""

    def counted(side: dict[str, Any] | None) -> tuple[str, int, int] | None:
        return (side["name"], side["mention_count"], side["quotes"]) if side else None

    pairs = {p["id"]: (counted(p["before"]), counted(p["after"])) for p in preview["people"]}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def test_places_are_shown_with_words_around_them(desk: Desk) -> None:
    found = desk.post("/decisions/preview", made(desk, "speaker"))
    quote = next(e for e in found["places"] if e["quote"])
    assert (quote["was"]["name"], quote["becomes"]["name"]) == ("Agnes Vane", "Dr. Pell")
    shown = quote["place"]
    assert (shown["text"], shown["after"], shown["chapter"]) == (SAID, " said Agnes.", 2)
    assert shown["span"]["start"] == STORY.index(SAID)
    merged = desk.post("/decisions/preview", made(desk, "merge"))
    assert 3 <= len(merged["places"]) <= 8
    for example in merged["places"]:
        at = example["place"]
        line = " ".join(STORY[at["span"]["start"] : at["span"]["end"]].split())
        assert at["text"] == line
        assert len(at["before"]) <= 72
        assert example["becomes"]["name"] == "Margaret Vane"


def test_a_speaker_is_who_the_book_says_from_then_on(desk: Desk) -> None:
    desk.post("/decisions", made(desk, "speaker"))
    quote = desk.quote(SAID)
    assert (quote["speaker"], quote["confidence"]) == (desk.id("Dr. Pell"), 1.0)
    words = [m["text"] for m in desk.get("/characters/Dr. Pell/mentions", limit=200)["items"]]
    assert words.count("I") == 1, "whoever speaks is the I of the quote"
    (entry,) = desk.get("/decisions")["items"]
    assert (entry["character_name"], entry["undone"], entry["place"]["text"]) == ("Dr. Pell", False, SAID)
    desk.post("/decisions", {"kind": "speaker", "spans": [quote["span"]]})
    assert desk.quote(SAID)["speaker"] is None


def marks(desk: Desk, words: str) -> list[dict[str, Any]]:
    """The mentions of the first chapter with this text."""
    paragraphs = desk.get("/chapters/1")["paragraphs"]
    found = [m for p in paragraphs for m in p["mentions"] + p["unlisted"]]
    return [m for m in found if STORY[m["span"]["start"] : m["span"]["end"]] == words]


def test_one_mention_is_corrected_and_then_the_name(desk: Desk) -> None:
    desk.post("/decisions", made(desk, "mention"))
    margaret, agnes = desk.id("Margaret Vane"), desk.id("Agnes Vane")
    assert [m["character"] for m in marks(desk, "Margaret")][:2] == [agnes, margaret]
    first = marks(desk, "Margaret Vane")[0]["span"]
    desk.post("/decisions", {"kind": "mention", "other": margaret, "spans": [first]})
    (unlisted,) = marks(desk, "Margaret Vane")
    assert unlisted == {"span": first, "kind": "PROP"}, "it can be found to be corrected again"
    desk.post("/decisions", {"kind": "mention", "name": "Meg", "spans": [first]})
    assert desk.people()[desk.id("Meg")] == ("Meg", 1, 0)
    chapter = desk.get("/chapters/1")["span"]
    here = {"kind": "mention", "other": margaret, "name": "Peg", "aliases": ["Margaret"], "spans": [chapter]}
    desk.post("/decisions", here)
    peg = desk.id("Peg")
    assert [m["character"] for m in marks(desk, "Margaret")] == [agnes] + [peg] * 3
    entries = desk.get("/decisions")["items"]
    assert [(e["character_name"], e["other_name"], e["name"]) for e in entries] == [
        ("Agnes Vane", "Margaret Vane", None),
        (None, "Margaret Vane", None),
        (None, None, "Meg"),
        (None, "Margaret Vane", "Peg"),
    ]
    assert [e["place"]["chapter"] for e in entries] == [1, 1, 1, 1]


def test_the_log_names_who_is_gone(desk: Desk) -> None:
    desk.post("/decisions", made(desk, "split"))
    peg = desk.id("Peg")
    desk.post("/decisions", {"kind": "merge", "character": desk.id("Agnes Vane"), "other": peg})
    desk.post("/decisions", {"kind": "undo", "undoes": 2})
    entries = desk.get("/decisions")["items"]
    assert [(e["character_name"], e["other_name"], e["undone"]) for e in entries] == [
        ("Margaret Vane", None, False),
        ("Agnes Vane", "Peg", True),
        (None, None, False),
    ]


def test_a_name_that_somebody_has_as_an_alias_is_told(desk: Desk) -> None:
    """Else "Margaret" would mean Agnes from then on."""
    wanted = {"kind": "rename", "character": "Agnes Vane", "name": "Margaret"}
    found = desk.post("/decisions/preview", wanted)["namesakes"]
    assert [c["name"] for c in found] == ["Margaret Vane"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"kind": "rename", "character": "Agnes Vane"},
        {"kind": "split", "character": "Margaret Vane", "aliases": ["Margaret"]},
        {"kind": "mention", "other": "Margaret Vane", "aliases": ["Margaret"]},
    ],
)
def test_a_name_that_somebody_has_is_told(desk: Desk, wanted: dict[str, Any]) -> None:
    pell = desk.id("Dr. Pell")
    found = desk.post("/decisions/preview", wanted | {"name": "dr.  Pell"})["namesakes"]
    assert found == [{"id": pell, "name": "Dr. Pell", "mention_count": desk.people()[pell][1]}]
    assert desk.post("/decisions/preview", wanted | {"name": "Nan"})["namesakes"] == []


def test_what_an_undo_leaves_without_effect_is_said_before_and_after(desk: Desk) -> None:
    desk.post("/decisions", made(desk, "split"))
    desk.post("/decisions", {"kind": "rename", "character": desk.id("Peg"), "name": "Meg"})
    undo = {"kind": "undo", "undoes": 1}
    assert desk.post("/decisions/preview", undo)["without_effect"] == [2]
    desk.post("/decisions", undo)
    entries = desk.get("/decisions")["items"]
    assert [(e["undone"], e["in_effect"]) for e in entries] == [(True, False), (False, False), (False, True)]
    desk.post("/decisions", {"kind": "undo", "undoes": 3})
    assert [e["in_effect"] for e in desk.get("/decisions")["items"]] == [True, True, False, True]


def test_a_name_is_logged_on_one_line(desk: Desk) -> None:
    rename = {"kind": "rename", "character": desk.id("Agnes Vane"), "name": " Agnes\n Roe "}
    assert desk.post("/decisions", rename)["name"] == "Agnes Roe"
    assert desk.get("/decisions")["items"][0]["name"] == "Agnes Roe"
    assert desk.id("Agnes Roe")


def test_behind_the_gate_a_preview_tells_no_later_name(desk: Desk) -> None:
    hide = {"kind": "hide", "character": desk.id("Captain Roe")}
    assert "Roe" in str(desk.post("/decisions/preview", hide))
    assert desk.post("/decisions/preview", hide, upto="1")["people"] == []
    early = desk.post("/decisions/preview", made(desk, "merge"), upto="1")
    whole = desk.post("/decisions/preview", made(desk, "merge"))
    assert 0 < early["mentions"] < whole["mentions"]
    assert {e["place"]["chapter"] for e in early["places"]} == {1}


def test_kept_answers_are_counted(desk: Desk) -> None:
    hide = made(desk, "hide")
    assert desk.post("/decisions/preview", hide)["answers"] == 0
    desk.get("/characters/Agnes Vane/description")
    assert desk.post("/decisions/preview", hide)["answers"] == 1
    desk.post("/decisions", made(desk, "rename"))
    assert desk.post("/decisions/preview", hide)["answers"] == 0, "it is to be written anew already"


def test_doubts_are_weighed_and_shown(native_client: httpx.Client) -> None:
    desk = Desk(native_client, TWO_ROES)
    doubts = desk.get("/doubts")["items"]
    assert len(doubts) > 1
    weights = [d["impact"] * d["confidence"] for d in doubts]
    assert weights == sorted(weights, reverse=True)
    for doubt in doubts:
        assert doubt["impact"] == doubt["other"]["mention_count"] <= doubt["one"]["mention_count"]
        named = max(doubt[side]["place"]["span"]["start"] for side in ("one", "other"))
        assert all(s["end"] > named for s in doubt["merge"]["spans"]), "it is revealed when both are named"
        ahead = desk.post("/decisions/preview", doubt["merge"])
        assert ahead["mentions"] == doubt["impact"]
        pair = {doubt["one"]["id"], doubt["other"]["id"]}
        assert pair in [{p["one"]["id"], p["other"]["id"]} for p in ahead["doubts_gone"]]
        for side in ("one", "other"):
            seen = doubt[side]["place"]
            assert " ".join(TWO_ROES[seen["span"]["start"] : seen["span"]["end"]].split()) == seen["text"]
            assert seen["text"] in doubt[side]["names"]


@pytest.mark.parametrize(
    "decision",
    [
        {"kind": "speaker", "character": "nobody", "spans": [{"start": 0, "end": 3}]},
        {"kind": "speaker", "spans": [{"start": 0, "end": 3}]},
        {"kind": "speaker"},
        {"kind": "merge", "character": "x", "other": "y"},
        {
            "kind": "merge",
            "character": "Agnes Vane",
            "other": "Dr. Pell",
            "spans": [{"start": 0, "end": 2**31}],
        },
        {"kind": "mention", "name": "x"},
        {"kind": "mention", "name": "x", "aliases": ["Nobody"]},
        {"kind": "narrator", "name": "x", "spans": [{"start": 0, "end": 3}]},
        {"kind": "split", "character": "x", "name": "y", "pronouns": "perhaps"},
        {"kind": "undo", "undoes": 7},
        {"kind": "rename", "character": "x" * 201, "name": "y"},
        {"kind": "magic"},
        {"kind": "speaker", "spans": [{"start": 5, "end": 3}]},
        {"kind": "speaker", "spans": [{"start": "a"}]},
        {"kind": "speaker", "spans": {}},
        {"kind": "hide", "character": ["x"]},
        {"kind": "hide", "surprise": 1},
        [],
        None,
    ],
)
def test_a_preview_is_refused_like_the_decision(live: Live, shelf: Shelf, decision: Any) -> None:
    with live.client(live.key(library=shelf.library)) as writer:
        looked, decided = (
            writer.post(f"{shelf.at}{path}", json=decision) for path in ("/decisions/preview", "/decisions")
        )
    assert looked.status_code == decided.status_code == 422
    for same in ("code", "detail", "remedy"):
        assert looked.json()[same] == decided.json()[same]
    assert looked.json()["remedy"]


def test_a_wrong_gate_is_refused(live: Live, shelf: Shelf) -> None:
    with live.client(live.key(library=shelf.library)) as writer:
        body = {"kind": "hide", "character": shelf.person("Agnes Vane")["id"]}
        answer = writer.post(f"{shelf.at}/decisions/preview", json=body, params={"upto": "99"})
    assert (answer.status_code, answer.json()["code"]) == (422, "gate_invalid")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/decisions/preview", {"kind": "undo", "undoes": 1}),
        ("/chapters/preview", {"chapters": [{"start": 0, "title": "x"}]}),
    ],
)
def test_who_may_not_correct_may_not_look(
    client: httpx.Client, shelf: Shelf, path: str, body: dict[str, Any]
) -> None:
    answer = shelf.client.post(f"{shelf.at}{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    other = client.post(f"{shelf.at}{path}", json=body)
    assert (other.status_code, other.json()["code"]) == (404, "book_unknown")


# Chapters


def plan(desk: Desk, *chapters: tuple[int, str]) -> Any:
    body = {"chapters": [{"start": start, "title": title} for start, title in chapters]}
    return desk.post("/chapters/preview", body)


def test_chapters_as_they_would_be(desk: Desk) -> None:
    found = desk.get("/chapters")["chapters"]
    (one, two) = ((c["start"], c["title"]) for c in found)
    captain = STORY.index("Captain Roe himself")
    same = plan(desk, one, two)
    assert [(c["change"], c["words"]) for c in same["chapters"]] == [("same", c["words"]) for c in found]
    assert same["gone"] == []
    more = plan(desk, (one[0], "The Lamp"), two, (captain, "The Captain"))
    assert [(c["change"], c["was"] and c["was"]["number"]) for c in more["chapters"]] == [
        ("retitled", 1),
        ("same", 2),
        ("new", None),
    ]
    assert more["chapters"][1]["end"] == captain
    moved = plan(desk, one, (captain, two[1]))
    assert [c["change"] for c in moved["chapters"]] == ["same", "moved"]
    fewer = plan(desk, one)
    assert [c["number"] for c in fewer["gone"]] == [2]
    assert fewer["chapters"][0]["words"] == sum(c["words"] for c in found)


def test_chapters_are_previewed_as_they_are_read(desk: Desk) -> None:
    """Also where they begin in what was no story before, and where one leaves some of it out."""
    marks = [(STORY.index("Her sister Agnes"), "A"), (STORY.index("Captain Roe himself"), "B")]
    for chosen in (marks, [(0, "All of it"), *marks]):
        ahead = plan(desk, *chosen)["chapters"]
        body = {"chapters": [{"start": start, "title": title} for start, title in chosen]}
        answer = desk.client.put(f"{desk.at}/chapters", json=body)
        assert answer.status_code == 202, answer.text
        wait(desk, answer.json()["job"]["id"])
        after = desk.get("/chapters")["chapters"]
        keys = ("number", "title", "start", "end", "words")
        assert [[c[k] for k in keys] for c in ahead] == [[c[k] for k in keys] for c in after]


def wait(desk: Desk, job: str) -> None:
    with desk.client.stream("GET", f"{desk.at}/events") as events:
        events.read()
    assert desk.client.get(f"/jobs/{job}").json()["state"] == "succeeded"


@pytest.mark.parametrize(
    "chapters", [[], [{"start": 1, "title": "x"}], [{"start": 0, "title": " "}], [{"start": 0}], {}, None]
)
def test_what_makes_no_chapters_is_refused_alike(live: Live, shelf: Shelf, chapters: Any) -> None:
    with live.client(live.key(library=shelf.library)) as writer:
        body = {"chapters": chapters}
        looked = writer.post(f"{shelf.at}/chapters/preview", json=body)
        put = writer.put(f"{shelf.at}/chapters", json=body)
    assert looked.status_code == put.status_code == 422
    assert (looked.json()["code"], looked.json()["detail"]) == (put.json()["code"], put.json()["detail"])
