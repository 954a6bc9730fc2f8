"""Whose a reference is after merges and splits, and what becomes of an answer that cannot be compared now."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coref.decisions.types import Decision, DecisionKind
from coref.types import Alias, Annotations, Character, CharacterKind
from generation.checking.protocols import Judge
from generation.checking.types import Case
from generation.errors import JudgeUnavailable
from generation.registry import JUDGES
from generation.types import Task
from service.errors import TextMissing, TextTooLong
from service.library import Library
from service.services import Services
from service.usecases import answers, references
from service.usecases.given_texts import clean, clean_line
from service.usecases.merged_characters import Heirs
from tests.service.conftest import HOME, describe

MERGE, HIDE, UNDO = DecisionKind.MERGE, DecisionKind.HIDE, DecisionKind.UNDO


def cast(*people: str) -> Annotations:
    """`anne: Anne|Miss Anne`"""
    made = []
    for person in people:
        key, _, names = person.partition(": ")
        aliases = tuple(Alias(name, 1, 0) for name in (names or key.title()).split("|"))
        made.append(Character(key, aliases[0].text, aliases, CharacterKind.PERSON, None, 1, 0))
    return Annotations("hand/1", tuple(made), (), ())


def test_a_merge_hands_on_and_a_chain_of_them_too() -> None:
    log = [Decision(1, MERGE, "b", "a"), Decision(2, MERGE, "c", "b")]
    heirs = Heirs(cast("c"), log)
    assert [heirs.of(key) for key in ("a", "b", "c", "d")] == ["c", "c", "c", None]


def test_an_undone_merge_hands_nothing_on() -> None:
    log = [Decision(1, MERGE, "b", "a"), Decision(2, UNDO, undoes=1)]
    heirs = Heirs(cast("a", "b"), log)
    assert (heirs.of("a"), heirs.of("b")) == ("a", "b")
    assert Heirs(cast("b"), log).of("a") is None


def test_merges_in_a_circle_end() -> None:
    assert Heirs(cast("c"), [Decision(1, MERGE, "b", "a"), Decision(2, MERGE, "a", "b")]).of("a") is None


def test_another_id_is_found_again_by_the_name_if_only_one_has_it() -> None:
    heirs = Heirs(cast("anne-2: Anne Lane|Anne", "ford-1: Mr. Ford", "ford-2: Mrs. Ford"), [])
    assert heirs.of("anne-1", "Anne Lane") == "anne-2"
    assert heirs.of("ford-0", "Ford") is None, "it may be either"
    assert heirs.of("anne-1") is None
    assert heirs.of("tom-1", "Tom") is None


def test_the_hidden_have_no_heir_of_the_same_name() -> None:
    assert Heirs(cast("ford-2: Mr. Ford"), [Decision(1, HIDE, "ford-1")]).of("ford-1", "Mr. Ford") is None


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("  a\tb  ", "a b"),
        ("a\r\nb\rc\u2028d\u0085e", "a\nb\nc\nd\ne"),
        ("a\x00\x1b[31mb\x7f\x9f", "a[31mb"),
        ("so\u00adft \u200bword \ufeffmark\u202e", "soft word mark"),
        ("\ue000 \U000f0000 \ud800 a", "\ufffd \ufffd \ufffd a"),
        ("naïve “Zoë” 二 😀\u200d👩", "naïve “Zoë” 二 😀\u200d👩"),
    ],
)
def test_a_text_is_made_plain(given: str, plain: str) -> None:
    assert clean(given, what="text") == plain
    assert clean(plain, what="text") == plain


def test_a_line_is_one_line() -> None:
    assert clean_line(" a\n\n b\tc ", what="source", most=99) == "a b c"


@pytest.mark.parametrize("text", ["", " \n", "…—!", "\x00\u202e", "\ue000"])
def test_a_text_has_words(text: str) -> None:
    with pytest.raises(TextMissing):
        clean(text, what="text")


def test_a_text_has_an_end() -> None:
    assert clean("a" * 10, what="text", most=10) == "a" * 10
    with pytest.raises(TextTooLong, match="10"):
        clean("a" * 11, what="text", most=10)


@pytest.fixture
def referred(services: Services, book_id: str) -> Iterator[None]:
    who = {"book_id": book_id, "key": "Mr. Ford", "task": Task.DESCRIPTION}
    mine = Library(services, HOME)
    references.put(mine, text="Mr. Ford was the miller.", source="a reader", **who)  # type: ignore[arg-type]
    yield
    references.delete(mine, **who)  # type: ignore[arg-type]


@pytest.mark.usefixtures("referred")
def test_an_answer_that_cannot_be_compared_now_is_given_all_the_same(
    services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask() -> answers.Answer:
        return describe(services, book_id)

    class Away:
        name = services.engines.judge.name
        calls = 0

        def judge(self, cases: object) -> object:
            self.calls += 1
            raise JudgeUnavailable("The judge sleeps.")

    ask()  # kept from now on
    references.put(Library(services, HOME), book_id=book_id, key="Mr. Ford", task=Task.DESCRIPTION,
        text="Mr. Ford was the miller. He was wet.", source="a reader",
    )  # fmt: skip
    away = Away()

    def make(*_: object) -> Judge:
        return away  # type: ignore[return-value]

    with monkeypatch.context() as patch:
        patch.setitem(JUDGES, "offline", make)
        patch.setattr(services.engines, "_made", {})
        found = ask()
    assert away.calls == 1
    assert found.portrait.prisma.reference is None
    assert any(JudgeUnavailable.plain in note for note in found.portrait.notes)
    assert not found.lasting
    later = ask()
    assert later.portrait.prisma.reference is not None
    assert later.lasting


@pytest.mark.usefixtures("referred")
def test_what_was_compared_is_kept(services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(**wanted: bool) -> answers.Answer:
        return describe(services, book_id, **wanted)

    first = ask(refresh=True).portrait.prisma.reference
    asked: list[int] = []
    real = services.engines.judge

    class Counting:
        name = real.name

        def judge(self, cases: list[Case]) -> object:
            asked.append(len(cases))
            return real.judge(cases)

    monkeypatch.setitem(JUDGES, "offline", lambda *_: Counting())  # type: ignore[arg-type,return-value]
    monkeypatch.setattr(services.engines, "_made", {})
    assert ask().portrait.prisma.reference == first
    assert asked == [], "neither the book nor the reference is asked again"
    assert ask(refresh=True).portrait.prisma.reference == first
    assert len(asked) == 3, "the answer once, the comparison in both directions"
