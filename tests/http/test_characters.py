"""People, mentions, passages, portraits and decisions, over real HTTP on both databases."""

from __future__ import annotations

import httpx
import pytest

from service.wire.answers import PortraitOut
from tests.http.conftest import Live, Shelf, upload
from tests.http.story import STORY, story


def test_the_cast(shelf: Shelf) -> None:
    cast = shelf.json("/characters")
    names = [c["name"] for c in cast["items"]]
    assert any("Margaret" in n for n in names)
    assert any("Agnes" in n for n in names)
    counts = [c["mention_count"] for c in cast["items"]]
    assert counts == sorted(counts, reverse=True)
    first = cast["items"][0]
    assert sum(first["mentions_by_chapter"]) == first["mention_count"]
    assert first["first_chapter"] == 1


def test_one_character_by_id_name_and_alias(shelf: Shelf) -> None:
    first = shelf.json("/characters")["items"][0]
    for key in (first["id"], first["name"], first["name"].upper(), first["aliases"][-1]["text"]):
        assert shelf.json(f"/characters/{key}") == first


def test_nobody_of_that_name(shelf: Shelf) -> None:
    answer = shelf.get("/characters/Heathcliff")
    assert (answer.status_code, answer.json()["code"]) == (404, "character_unknown")


def test_people_of_the_whole_library(shelf: Shelf, client: httpx.Client) -> None:
    found = shelf.client.get("/characters", params={"q": "vane"}).json()["items"]
    assert {person["name"] for person in found} == {"Margaret Vane", "Agnes Vane"}
    assert {person["book"]["id"] for person in found} == {shelf.book["id"]}
    assert len(shelf.client.get("/characters", params={"q": "vane", "limit": 1}).json()["items"]) == 1
    assert client.get("/characters", params={"q": "vane"}).json() == {"items": []}


@pytest.mark.parametrize("wrong", [{}, {"q": " "}, {"q": "x" * 201}, {"q": "x", "limit": 0}])
def test_people_are_asked_for_by_a_name(shelf: Shelf, wrong: dict[str, str | int]) -> None:
    answer = shelf.client.get("/characters", params=wrong)
    assert (answer.status_code, answer.json()["code"]) == (422, "request_invalid")


def test_mentions_point_into_the_text_and_pages_tile(shelf: Shelf) -> None:
    person = shelf.json("/characters")["items"][0]
    seen, cursor = [], None
    while True:
        page = shelf.json(
            f"/characters/{person['id']}/mentions", limit=3, **({"cursor": cursor} if cursor else {})
        )
        seen += page["items"]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == person["mention_count"]
    for mention in seen:
        assert STORY[mention["span"]["start"] : mention["span"]["end"]] == mention["text"]
    assert [m["span"]["start"] for m in seen] == sorted(m["span"]["start"] for m in seen)


def test_mentions_are_as_sure_as_in_the_exports(native_shelf: Shelf) -> None:
    exported = native_shelf.json("/annotations")["mentions"]
    sure = {(m["start"], m["end"], m["character"]): m["confidence"] for m in exported}
    assert len(set(sure.values())) > 2
    person = native_shelf.json("/characters")["items"][0]["id"]
    listed = native_shelf.json(f"/characters/{person}/mentions", limit=200)["items"]
    read = native_shelf.json("/chapters/1")["paragraphs"]
    marks = [(m, m["character"]) for paragraph in read for m in paragraph["mentions"]]
    assert listed
    assert marks
    for mention, who in [*((m, person) for m in listed), *marks]:
        assert mention["confidence"] == sure[(mention["span"]["start"], mention["span"]["end"], who)]


@pytest.mark.parametrize("retriever", ["telling", "mentions", "bm25", "dense", "hybrid", "lead", "random"])
def test_passages_by_every_retriever(shelf: Shelf, retriever: str) -> None:
    found = shelf.json("/characters/Agnes/passages", retriever=retriever, k=4)
    assert found["retriever"] == retriever
    assert 1 <= len(found["items"]) <= 4
    for passage in found["items"]:
        assert STORY[passage["span"]["start"] : passage["span"]["end"]] == passage["text"]
        assert passage["chapter"] in (1, 2)


def test_options_of_passages_matter(shelf: Shelf) -> None:
    best = shelf.json("/characters/Agnes/passages", retriever="bm25", q="letter hand morning", order="score")[
        "items"
    ]
    assert "letter" in best[0]["text"]
    gated = shelf.json("/characters/Agnes/passages", retriever="bm25", upto="1")["items"]
    assert {p["chapter"] for p in gated} == {1}
    draws = {
        tuple(
            p["index"]
            for p in shelf.json("/characters/Agnes/passages", retriever="random", k=3, seed=s)["items"]
        )
        for s in range(8)
    }
    assert len(draws) > 1


@pytest.mark.parametrize(
    "parameters", [{"retriever": "magic"}, {"k": 0}, {"k": 201}, {"order": "odd"}, {"seed": -1}]
)
def test_wrong_options_are_refused(shelf: Shelf, parameters: dict[str, object]) -> None:
    answer = shelf.get("/characters/Agnes/passages", **parameters)
    assert (answer.status_code, answer.json()["code"]) == (422, "request_invalid")


@pytest.mark.parametrize("task", ["description", "analysis"])
def test_a_portrait_is_cited_and_checked(shelf: Shelf, task: str) -> None:
    portrait = PortraitOut.model_validate(shelf.json(f"/characters/Margaret/{task}"))
    assert portrait.task == task
    assert portrait.text == " ".join(s.text for s in portrait.sentences)
    assert any(s.citations for s in portrait.sentences)
    citations = [c for s in portrait.sentences for c in s.citations]
    citations += [c for f in portrait.facts for c in f.evidence]
    for citation in citations:
        assert STORY[citation.span.start : citation.span.end] == citation.quote
    for fact in portrait.facts:
        assert portrait.sentences[fact.sentence].text[fact.span.start : fact.span.end]
    assert portrait.prisma.facts == len(portrait.facts)
    assert portrait.provenance.upto is None


def test_the_same_question_gives_the_same_answer_and_refresh_makes_it_anew(shelf: Shelf) -> None:
    path = "/characters/Margaret/description"
    first, kept = shelf.json(path), shelf.json(path)
    assert first == kept
    anew = shelf.json(path, refresh="true")
    assert anew["text"] == first["text"]
    assert shelf.json(path)["usage"] == anew["usage"]


def test_options_of_a_portrait_are_in_its_provenance(shelf: Shelf) -> None:
    portrait = shelf.json("/characters/Agnes/description", retriever="bm25", seed=7, upto="1", words=30)
    provenance = portrait["provenance"]
    assert (provenance["retriever"], provenance["seed"]) == ("bm25", 7)
    assert provenance["upto"] == STORY.index("CHAPTER II.")
    assert "Captain" not in portrait["text"]
    assert all(c["chapter"] == 1 for s in portrait["sentences"] for c in s["citations"])
    assert shelf.get("/characters/Agnes/description", generator="gpt-9").status_code == 422


def test_behind_the_gate_nobody_comes_later(shelf: Shelf) -> None:
    for name in ("Captain Roe", "Heathcliff"):
        answer = shelf.get(f"/characters/{name}/description", upto="1")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_yet_met")
    names = {c["name"] for c in shelf.json("/characters", upto="1")["items"]}
    assert not any("Roe" in n for n in names)


@pytest.mark.parametrize("upto", ["0", "99", "p:9999", "soon", "ch:x"])
def test_a_gate_that_is_none(shelf: Shelf, upto: str) -> None:
    answer = shelf.get("/characters", upto=upto)
    assert (answer.status_code, answer.json()["code"]) == (422, "gate_invalid")


def test_joint_descriptions(shelf: Shelf) -> None:
    both = shelf.json("/descriptions", name=["Margaret", "Agnes"])
    assert both["task"] == "joint"
    assert len(both["characters"]) == 2
    everybody = shelf.json("/descriptions")
    assert len(everybody["characters"]) >= 2
    assert shelf.get("/descriptions", name=[f"n{i}" for i in range(30)]).status_code == 422


def test_by_name_over_the_library(client: httpx.Client) -> None:
    book = upload(client)
    found = client.get("/characters/Margaret/description")
    assert (found.status_code, found.json()["book"]) == (200, book["id"])
    assert client.get("/characters/Margaret/analysis").json()["task"] == "analysis"
    unknown = client.get("/characters/Heathcliff/description")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "character_unknown")
    other = upload(client, story(1))
    answer = client.get("/characters/Margaret/description")
    assert (answer.status_code, answer.json()["code"]) == (409, "character_ambiguous")
    assert {c.split("/")[0] for c in answer.json()["candidates"]} == {book["id"], other["id"]}
    gated = client.get("/characters/Margaret/description", params={"upto": "1"})
    assert gated.json()["candidates"] == answer.json()["candidates"]
    wrong = client.get("/characters/Margaret/description", params={"upto": "99"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "gate_invalid")
    assert f"{book['title']}: There is no chapter 99" in wrong.json()["detail"]
    assert client.delete(f"/books/{other['id']}").status_code == 204
    short = upload(client, b"CHAPTER I\n\nMargaret sang. Margaret was glad. Margaret slept.\n")
    by_id = client.get(f"/characters/{found.json()['characters'][0]['id']}/description")
    assert (by_id.status_code, by_id.json()["book"]) == (200, book["id"]), by_id.text
    two = client.get("/characters/Margaret/description", params={"upto": "2"})
    assert (two.status_code, two.json()["book"]) == (200, book["id"]), two.text
    in_one = client.get("/characters/Margaret/description", params={"book": short["id"]})
    assert in_one.json()["book"] == short["id"]


def test_the_root_has_the_same_routes(shelf: Shelf, live: Live) -> None:
    with live.client(live.key(library="shelf"), root=True) as root:
        path = f"{shelf.at}/characters/Margaret/description"
        assert root.get(path).json() == shelf.client.get(path).json()
        assert root.get("/characters/Margaret/description").json()["book"] == shelf.book["id"]


def test_decisions_are_logged_applied_and_undone(client: httpx.Client) -> None:
    at = f"/books/{upload(client)['id']}"
    cast = client.get(f"{at}/characters").json()["items"]
    one, two = cast[0], cast[1]
    merged = client.post(
        f"{at}/decisions", json={"kind": "merge", "character": one["name"], "other": two["id"]}
    )
    assert (merged.status_code, merged.json()["number"]) == (201, 1), merged.text
    assert merged.json()["character"] == one["id"]
    assert client.get(f"{at}/characters/{two['name']}").json()["id"] == one["id"]
    assert client.get(f"{at}/characters/{two['id']}").json()["id"] == one["id"]
    undone = client.post(f"{at}/decisions", json={"kind": "undo", "undoes": 1})
    assert (undone.status_code, undone.json()["number"]) == (201, 2), undone.text
    assert client.get(f"{at}/characters").json()["items"] == cast
    assert [d["kind"] for d in client.get(f"{at}/decisions").json()["items"]] == ["merge", "undo"]


def test_a_decision_is_sent_again_with_its_key(client: httpx.Client) -> None:
    """The repeated request changes nothing, though what it says would be refused, or mean more, by now."""
    at = f"/books/{upload(client)['id']}/decisions"
    person = client.get(f"{at.removesuffix('/decisions')}/characters").json()["items"][0]["name"]
    rename = {"kind": "rename", "character": person, "name": "The one with the lantern"}
    sent = [client.post(at, json=rename, headers={"Idempotency-Key": "a"}) for _ in range(2)]
    assert [(answer.status_code, answer.json()) for answer in sent] == [(201, sent[0].json())] * 2
    undone = {"kind": "undo", "undoes": 1}
    for _ in range(2):
        undo = client.post(at, json=undone, headers={"Idempotency-Key": "b"})
        assert (undo.status_code, undo.json()["number"]) == (201, 2), undo.text
    other = client.post(at, json={**rename, "name": "Another"}, headers={"Idempotency-Key": "a"})
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    again = client.post(at, json=rename, headers={"Idempotency-Key": "c"})
    assert (again.status_code, again.json()["number"]) == (201, 3)
    unkeyed = client.post(at, json=rename)
    assert (unkeyed.status_code, unkeyed.json()["number"]) == (201, 4)


def test_keys_of_decisions_belong_to_one_book(client: httpx.Client) -> None:
    one, two = upload(client), upload(client, STORY.replace("stout", "thin").encode())
    for book in (one, two):
        person = client.get(f"/books/{book['id']}/characters").json()["items"][0]["id"]
        hide = {"kind": "hide", "character": person}
        made = client.post(f"/books/{book['id']}/decisions", json=hide, headers={"Idempotency-Key": "k"})
        assert (made.status_code, made.json()["number"]) == (201, 1)


@pytest.mark.parametrize(
    ("decision", "code"),
    [
        ({"kind": "merge", "character": "nobody", "other": "no-one"}, None),
        ({"kind": "rename", "character": None, "name": "X"}, None),
        ({"kind": "undo", "undoes": 7}, None),
        ({"kind": "crown", "character": "x"}, "request_invalid"),
        ({"kind": "split", "character": "x", "spans": [{"start": 9, "end": 3}]}, "request_invalid"),
        ({"kind": "hide", "character": "x", "colour": "red"}, "request_invalid"),
        ({"kind": "hide", "character": "x", "aliases": ["y"]}, "request_invalid"),
        ({"kind": "hide", "character": "x", "aliases": [], "name": None}, "decision_invalid"),
        ({}, "request_invalid"),
    ],
)
def test_decisions_that_make_no_sense(
    shelf: Shelf, live: Live, decision: dict[str, object], code: str | None
) -> None:
    with live.client(live.key(library="shelf")) as writer:
        answer = writer.post(f"{shelf.at}/decisions", json=decision)
    assert answer.status_code in (404, 422), answer.text
    assert code is None or answer.json()["code"] == code
    assert shelf.json("/decisions") == {"items": []}


def test_corrections_are_copied_to_another_draft(client: httpx.Client) -> None:
    """What stands elsewhere is found again, what was changed or undone is not made, and nothing twice."""
    draft = STORY.replace("Margaret Vane lit", "It was late. Margaret Vane lit").replace(
        "He was a stout", "A stout"
    )
    old, new = upload(client), upload(client, draft.encode())
    people = {c["name"]: c["id"] for c in client.get(f"/books/{old['id']}/characters").json()["items"]}
    moved = STORY.index("Margaret watched")

    def correct(kind: str, **how: object) -> dict[str, str]:
        made = client.post(f"/books/{old['id']}/decisions", json={"kind": kind, **how})
        assert made.status_code == 201, made.text
        return {c["name"]: c["id"] for c in client.get(f"/books/{old['id']}/characters").json()["items"]}

    correct("rename", character=people["Agnes Vane"], name="Miss Vane")
    correct("hide", character="Dr. Pell")
    correct("undo", undoes=2)
    here = {"start": moved, "end": moved + len("Margaret")}
    there = correct("split", character=people["Margaret Vane"], name="A stranger", spans=[here])
    correct("rename", character=there["A stranger"], name="Somebody else")
    laughed = STORY.index("Dr. Pell laughed")
    changed = {"start": laughed, "end": laughed + len("Dr. Pell")}
    correct("split", character="Dr. Pell", name="The other doctor", spans=[changed])
    for _ in range(2):
        copied = client.post(f"/books/{new['id']}/decisions/copy", json={"book": old["id"]})
        assert copied.status_code == 200, copied.text
        assert [d["kind"] for d in copied.json()["items"]] == ["rename", "split", "rename"]
        left = [(d["correction"]["number"], d["reason"]) for d in copied.json()["not_copied"]]
        assert left == [(6, "Its passage was changed.")]
    at = copied.json()["items"][1]["spans"][0]
    assert draft[at["start"] : at["end"]] == "Margaret"
    assert at["start"] == draft.index("Margaret watched")
    names = {c["name"] for c in client.get(f"/books/{new['id']}/characters").json()["items"]}
    assert {"Miss Vane", "Somebody else", "Dr. Pell"} <= names
    client.post(f"/books/{new['id']}/decisions", json={"kind": "undo", "undoes": 1})
    again = client.post(f"/books/{new['id']}/decisions/copy", json={"book": old["id"]}).json()
    assert [d["kind"] for d in again["items"]] == ["rename", "split", "rename", "undo"]


def test_a_correction_is_copied_to_whoever_is_named_in_the_same_places(client: httpx.Client) -> None:
    old, new = upload(client, STORY.replace("Margaret Vane", "Margaret").encode()), upload(client)
    start = STORY.replace("Margaret Vane", "Margaret").index("“I never catch")
    quote = next(
        q["span"]
        for p in client.get(f"/books/{old['id']}/chapters/1").json()["paragraphs"]
        for q in p["quotes"]
        if q["span"]["start"] == start
    )
    for made in (
        {"kind": "speaker", "character": "Margaret", "spans": [quote]},
        {"kind": "rename", "character": "Margaret", "name": "Peg"},
        {"kind": "merge", "character": "Dr. Pell", "other": "Margaret"},
    ):
        answer = client.post(f"/books/{old['id']}/decisions", json=made)
        assert answer.status_code == 201, answer.text
    copied = client.post(f"/books/{new['id']}/decisions/copy", json={"book": old["id"]}).json()
    assert [d["kind"] for d in copied["items"]] == ["speaker", "rename", "merge"]
    assert [d["character_name"] for d in copied["items"]] == ["Margaret Vane", "Margaret Vane", "Dr. Pell"]
    assert not copied["not_copied"]


@pytest.mark.parametrize(
    ("changed", "copied", "reason"),
    [
        ("Margaret watched", [], "The last passage that reveals it was changed."),
        ("Dr. Pell laughed", ["merge"], "1 of its 2 passages were changed."),
    ],
)
def test_a_copied_merge_is_not_revealed_earlier(
    client: httpx.Client, changed: str, copied: list[str], reason: str
) -> None:
    old, new = upload(client), upload(client, STORY.replace(changed, f"Later {changed}").encode())
    starts = [STORY.index("Margaret watched"), STORY.index("Dr. Pell laughed")]
    spans = [{"start": start, "end": start + len("Dr. Pell laughed")} for start in starts]
    merge = {"kind": "merge", "character": "Margaret Vane", "other": "Agnes Vane", "spans": spans}
    assert client.post(f"/books/{old['id']}/decisions", json=merge).status_code == 201
    made = client.post(f"/books/{new['id']}/decisions/copy", json={"book": old["id"]}).json()
    assert [d["kind"] for d in made["items"]] == copied
    assert [d["reason"] for d in made["not_copied"]] == [reason]
