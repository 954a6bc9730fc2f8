"""A cast in one answer: all together, five at a time, one by one."""

from __future__ import annotations

import pytest

from books.types import Book
from coref.types import Annotations
from generation.errors import DraftRejected
from generation.models.scripted_model import ScriptedModel
from generation.types import AnswerLimits, Draft, Task
from generation.writing.writer import PortraitWriter
from tests.generation.novel import story
from tests.generation.writing.told import Heard, Told, prompt

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus")


@pytest.fixture
def village() -> tuple[Book, Annotations]:
    told = "\n\n".join(
        f"[{n} Hill|{n.lower()}] keeps {at} goats in the {n}field." for at, n in enumerate(NAMES)
    )
    return story(f"# One\n\n{told}\n", **{n.lower(): f"{n} Hill/they" for n in NAMES})


def entry(name: str) -> str:
    at = NAMES.index(name)
    return f"## {name} Hill\n{name} Hill keeps {at} goats in the {name}field [{at + 1}]."


def entries(*names: str) -> str:
    return "\n\n".join(map(entry, names))


def ask(village: Told, *script: str, names: tuple[str, ...] = NAMES, context: int = 8192, words: int = 30,
        heard: Heard | None = None) -> tuple[Draft, ScriptedModel]:  # fmt: skip
    model = ScriptedModel(script, context=context)
    asked = prompt(village, *(n.lower() for n in names), task=Task.JOINT)
    draft = PortraitWriter(model).generate(asked, AnswerLimits(words=words), audience=heard)
    return draft, model


def assert_complete(draft: Draft, *names: str) -> None:
    assert [s.heading for s in draft.sentences] == [f"{n} Hill" for n in names]
    assert [s.characters for s in draft.sentences] == [(n.lower(),) for n in names]
    assert all(s.citations for s in draft.sentences)
    assert all(f"the {n}field" in s.text for n, s in zip(names, draft.sentences, strict=True))


def test_they_are_asked_for_together(village: Told) -> None:
    heard = Heard()
    draft, model = ask(village, entries(*NAMES), heard=heard)
    assert_complete(draft, *NAMES)
    assert [len(call) for call in model.asked] == [1]
    assert model.asked[0][0].task is Task.JOINT
    assert draft.notes == ()
    assert heard.text.strip() == entries(*NAMES)
    content = model.asked[0][0].messages[1].content
    assert "each of the 7 people" in content
    assert "\n## Ann Hill\n## Ben Hill\n" in content


@pytest.mark.parametrize(
    "broken",
    [
        entries(*NAMES[:-1]),
        entries(*NAMES, "Ann"),
        entries(*NAMES[1:], NAMES[0]),
        f"These are the people of the village.\n\n{entries(*NAMES)}",
        entries(*NAMES).replace("## Cat Hill", "## Kit Hill"),
        entries(*NAMES).replace("Dan Hill keeps 3 goats in the Danfield [4].", ""),
        entries(*NAMES).replace("keeps 3 goats in the Danfield [4].", "keeps goats and goats " * 9),
        entries(*NAMES).removesuffix(" in the Gusfield [7]."),
    ],
    ids=[
        "one lacks",
        "one twice",
        "another order",
        "more before",
        "another name",
        "one empty",
        "a loop",
        "cut off",
    ],
)
def test_a_broken_template_is_asked_for_five_at_a_time(village: Told, broken: str) -> None:
    heard = Heard()
    draft, model = ask(village, broken, entries(*NAMES[:5]), entries(*NAMES[5:]), heard=heard)
    assert_complete(draft, *NAMES)
    assert [len(call) for call in model.asked] == [1, 2]
    assert len(draft.notes) == 1
    assert draft.notes[0].startswith("Asked five at a time for 7 people")
    assert [reason for _, reason in heard.voided] == list(draft.notes)
    assert heard.text.split() == draft.text.split()


def test_groups_that_fail_again_are_asked_one_by_one(village: Told) -> None:
    draft, model = ask(
        village, "Nothing of use.", entries(*NAMES[:5]), "Nothing.", entry("Fay"), entry("Gus")
    )
    assert_complete(draft, *NAMES)
    assert [len(call) for call in model.asked] == [1, 2, 2]
    assert [note.split(":")[0] for note in draft.notes] == [
        "Asked five at a time for 7 people",
        "Asked one by one for 2 people",
    ]
    assert draft.usage.calls == 5
    only_fay = model.asked[2][0].messages[1].content
    assert "Fay Hill keeps" in only_fay
    assert "Ann Hill keeps" not in only_fay


def test_someone_asked_for_alone_needs_no_heading(village: Told) -> None:
    draft, model = ask(village, "Ann Hill keeps 0 goats in the Annfield [1].", names=("Ann",))
    assert_complete(draft, "Ann")
    assert [len(call) for call in model.asked] == [1]


def test_few_go_from_together_to_one_by_one(village: Told) -> None:
    draft, model = ask(village, "Nothing of use.", entry("Ann"), entry("Ben"), names=("Ann", "Ben"))
    assert_complete(draft, "Ann", "Ben")
    assert [len(call) for call in model.asked] == [1, 2]


def test_someone_alone_is_asked_for_twice_and_then_the_draft_is_rejected(village: Told) -> None:
    draft, model = ask(village, "Nothing.", "No.", entry("Ben"), entry("Ann"), names=("Ann", "Ben"))
    assert_complete(draft, "Ann", "Ben")
    assert [len(call) for call in model.asked] == [1, 2, 1]
    assert any("another seed" in note for note in draft.notes)
    with pytest.raises(DraftRejected, match=r"Ann Hill.*it is empty"):
        ask(village, "Nothing.", "No.", entry("Ben"), "No.", names=("Ann", "Ben"))


def test_a_wrong_name_over_somebody_alone_is_seen(village: Told) -> None:
    with pytest.raises(DraftRejected, match="it breaks the template"):
        ask(village, entry("Ben"), entry("Ben"), names=("Ann",))


def test_too_many_for_the_context_are_asked_in_groups_from_the_start(village: Told) -> None:
    draft, model = ask(village, entries(*NAMES[:5]), entries(*NAMES[5:]), context=1620, words=60)
    assert_complete(draft, *NAMES)
    assert [len(call) for call in model.asked] == [2]
    assert draft.notes[0] == "Asked five at a time: all together do not fit into the model's context."


def test_small_slips_in_a_heading_are_no_failure(village: Told) -> None:
    draft, _ = ask(village, "**Ann Hill:**\nAnn Hill keeps 0 goats in the Annfield [1].\n\n### ben hill\n"
                            "Ben Hill keeps 1 goats in the Benfield [2].", names=("Ann", "Ben"))  # fmt: skip
    assert_complete(draft, "Ann", "Ben")


def test_two_who_are_equally_unknown_repeat_nothing(village: Told) -> None:
    nothing = "The evidence is insufficient to say more."
    draft, model = ask(village, "\n\n".join(f"## {n} Hill\n{nothing}" for n in NAMES))
    assert len(model.asked) == 1
    assert [s.citations for s in draft.sentences] == [()] * len(NAMES)


def test_whole_sentences_of_an_unfinished_answer_may_have_no_entry(village: Told) -> None:
    """A real model wrote so: it broke off twice, and headings of its own were left."""
    broken = (
        "## The goats\nAnn Hill keeps goats on the hill and sells the milk.\n\n## The hill\nIt is steep, and"
    )
    with pytest.raises(DraftRejected, match=r"Ann Hill is not fit.*it breaks the template"):
        ask(village, broken, broken, names=("Ann",), words=8)
    draft, _ = ask(village, broken, *map(entry, ("Ann", "Ben")), names=("Ann", "Ben"), words=8)
    assert_complete(draft, "Ann", "Ben")
