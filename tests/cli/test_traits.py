"""`traits`, `doubts` and `characters --why`, over a book whose people are known by heart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coref.decisions.types import Decision, DecisionKind
from service.cli import output
from service.cli.corrections import show
from service.cli.exits import Exit
from service.usecases.decisions import Logged
from tests.cli.conftest import Bookworm, Ran
from tests.service.conftest import STORY
from tests.service.knowing import SAYS_SO, shelve


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("mill")
    return folder, shelve(folder, STORY.encode(), library="local")


@pytest.fixture
def ask(bookworm: Bookworm, mill: tuple[Path, str]) -> Any:
    def call(command: str, *arguments: str) -> Ran:
        return bookworm(command, mill[1], *arguments, data_dir=mill[0])

    return call


def test_traits(ask: Any) -> None:
    told = ask("traits", "Mr. Ford", "--json").json
    assert told["character"] == "ford"
    assert [t["lemma"] for t in told["denied"]] == ["expect"]
    shown = ask("traits", "Mr. Ford").out
    assert "miller (ch. 1)" in shown
    assert shown.index("Denied") < shown.index("expect") < shown.index("Possible")
    assert "clerk of Mr. Ford" in ask("traits", "Anna").out


def test_traits_take_the_gate_and_a_number(ask: Any) -> None:
    assert "smile" not in ask("traits", "Anna", "--upto", "1").out
    assert ask("traits", "Mrs. Ward", "--upto", "2", "--json").json["code"] == "not_yet_met"
    few = ask("traits", "Anna", "-k", "1", "--json").json["said"]
    assert len(few) < len(ask("traits", "Anna", "--json").json["said"])


def test_of_whom_nothing_is_known(
    bookworm: Bookworm, story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules read no grammar."""
    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")
    ran = bookworm("traits", str(story), "Captain Briggs", data_dir=tmp_path)
    assert (ran.status, ran.out) == (Exit.OK, "")
    assert "No traits" in ran.err
    assert "no possible duplicates" in bookworm("doubts", str(story), data_dir=tmp_path).err


def test_doubts_are_listed_with_their_evidence(ask: Any) -> None:
    told = ask("doubts", "--json").json["items"]
    assert [(d["one"]["id"], d["other"]["id"]) for d in told] == [("lane", "ward"), ("lane", "ford")]
    shown = " ".join(ask("doubts").out.split())
    assert "80%" in shown
    assert "Mrs. Ward" in shown
    assert all(word in shown for word in SAYS_SO.split())
    assert len(ask("doubts", "--upto", "2", "--json").json["items"]) == 1
    assert "no possible duplicates" in ask("doubts", "--upto", "p:1").err


def test_a_doubtful_person_is_shown_and_gives_the_pronouns_back(
    bookworm: Bookworm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")
    story = tmp_path / "slave.txt"
    said = "“You are a slave to Mrs. Grundy,” said the doctor.\n\n"
    story.write_text(said + "She looked at her hands. She sighed.\n\n" * 20)

    def told(*arguments: str) -> str:
        ran = bookworm(arguments[0], str(story), *arguments[1:], data_dir=tmp_path)
        assert ran.status == 0, ran.err
        return " ".join((ran.out + ran.err).split())

    why = "The book names this person only once, but 60 pronouns are taken to mean them."
    assert f"Is Mrs. Grundy really one person? {why}" in told("doubts")
    assert f"This may not be one person. {why}" in told("profile", "Mrs. Grundy")
    assert "This may not be one person." in told("characters")
    assert bookworm("doubts", str(story), "--give-back", "doctor", data_dir=tmp_path).status != 0
    confirmed = told("doubts", "--confirm", "Mrs. Grundy")
    assert "Mrs. Grundy: one person, correction 1" in confirmed
    assert "really one person" not in confirmed
    told("corrections", "--undo", "1")
    after = told("doubts", "--give-back", "Mrs. Grundy")
    assert "60 pronouns mean nobody now, correction 3" in after
    assert "really one person" not in after


def test_why_names_are_one(ask: Any) -> None:
    assert "Miss Anna Lane is both" in ask("characters", "--why").out
    assert "Miss Anna Lane is both" not in ask("characters").out
    assert ask("characters", "--json").json["items"][0]["merges"][0]["evidence"] == "Miss Anna Lane is both"


def test_a_doubt_is_dismissed_and_another_merged(ask: Any) -> None:
    dismissed = ask("doubts", "--dismiss", "ford", "lane")
    assert "different people, correction 1" in dismissed.err
    assert "mill" not in dismissed.out
    merged = ask("doubts", "--merge", "Mrs. Ward", "lane", "--revealed", "3", "--json")
    assert merged.json == {"items": [], "people": []}
    assert "same person, correction 2" in merged.err
    assert {c["id"] for c in ask("characters", "--json").json["items"]} == {"lane", "ford"}
    early = ask("characters", "--upto", "p:7", "--json").json["items"]
    assert {c["id"] for c in early} == {"lane", "ward", "ford"}
    assert "a reader says so" in ask("characters", "--why").out


def test_corrections_are_listed_and_undone(ask: Any) -> None:
    numbers = [d["number"] for d in ask("corrections", "--json").json["items"]]
    assert numbers == [1, 2]
    assert ask("corrections", "--undo", "9", "--json").json["code"] == "decision_invalid"
    shown = ask("corrections", "--undo", "2").out
    assert "undone" in shown
    assert "undo 2" in shown
    assert "ward" in {c["id"] for c in ask("characters", "--json").json["items"]}
    assert [d["undone"] for d in ask("corrections", "--undo", "3", "--json").json["items"][:2]] == [
        False,
        False,
    ]


def test_a_correction_without_effect_is_marked() -> None:
    rename = Decision(1, DecisionKind.RENAME, character="gone", name="Peg")
    with output.out.capture() as seen:
        show([Logged(rename, undone=False, in_effect=False, character=None, other=None, at=None)])
    assert "no effect" in seen.get()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("--merge", "lane"), Exit.USAGE),
        (("--merge", "lane", "ford", "--dismiss", "lane", "ford"), Exit.USAGE),
        (("--merge", "lane", "nobody"), Exit.NOT_FOUND),
        (("--revealed", "3"), Exit.USAGE),
        (("--merge", "lane", "ford", "--revealed", "9"), Exit.NOT_FOUND),
    ],
)
def test_what_cannot_be_decided(ask: Any, arguments: tuple[str, ...], status: Exit) -> None:
    assert ask("doubts", *arguments).status == status


def test_an_export_has_the_corrections(ask: Any, tmp_path: Path) -> None:
    def people() -> set[str]:
        return {person["id"] for person in ask("export").json["characters"]}

    before = people()
    assert ask("doubts", "--merge", "lane", "ford").status == Exit.OK
    assert people() == before - {"ford"}
    assert ask("export", "--format", "booknlp", "-o", str(tmp_path / "out")).status == Exit.OK
    assert len(list((tmp_path / "out").iterdir())) == 4
    merge = ask("corrections", "--json").json["items"][-1]
    assert ask("corrections", "--undo", str(merge["number"])).status == Exit.OK
    assert people() == before
