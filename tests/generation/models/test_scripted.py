"""The test double keeps the protocol of a language model."""

from __future__ import annotations

import pytest

from generation.errors import WritingCancelled
from generation.models.scripted_model import ScriptedModel
from generation.models.types import Completion, CompletionRequest, Finish, Message, MessageRole
from generation.types import Task, Usage

PASSAGES = "<book>\n" + "\n".join(
    f"[{n}] (chapter {n}) Bess wrote letter {n} and went home." for n in range(1, 9)
)


class Listening:
    def __init__(self, patience: int = 10_000) -> None:
        self.heard: dict[int, str] = {}
        self._left = patience

    def hear(self, request: int, piece: str) -> None:
        self.heard[request] = self.heard.get(request, "") + piece
        self._left -= 1

    def done(self, request: int, completion: Completion) -> None: ...

    def gone(self) -> bool:
        return self._left <= 0


def request(
    content: str = PASSAGES, *, task: Task = Task.DESCRIPTION, most: int = 300, seed: int = 0
) -> CompletionRequest:
    return CompletionRequest((Message(MessageRole.USER, content),), max_tokens=most, task=task, seed=seed)


def test_the_script_is_told_in_order_and_then_the_passages() -> None:
    cut = Completion("She", Finish.LENGTH, Usage())
    model = ScriptedModel(["One.", cut])
    one, two, three = model.complete([request()] * 3)
    assert (one.text, one.finish) == ("One.", Finish.STOP)
    assert (two.text, two.finish) == ("She", Finish.LENGTH)
    assert "[1]" in three.text
    assert [len(call) for call in model.asked] == [3]


def test_it_says_the_same_twice_and_something_else_with_another_seed() -> None:
    model = ScriptedModel()
    texts = [model.complete([request(seed=seed)])[0].text for seed in (0, 0, 1)]
    assert texts[0] == texts[1] != texts[2]


def test_an_answer_ends_at_its_tokens_and_says_so() -> None:
    model = ScriptedModel(["one two three four five."])
    (done,) = model.complete([request(most=3)])
    assert (done.text, done.finish, done.usage.completion_tokens) == ("one two three", Finish.LENGTH, 3)


def test_it_counts_what_it_took() -> None:
    model = ScriptedModel(["One two."])
    (done,) = model.complete([request("a b c")])
    assert done.usage.prompt_tokens == model.count_prompt(request("a b c").messages) > 3
    assert (done.usage.completion_tokens, done.usage.calls) == (3, 1)


def test_a_listener_hears_each_answer_and_may_leave() -> None:
    ear = Listening()
    model = ScriptedModel(["One two.", "Three\n\nfour. "])
    model.complete([request(), request()], listener=ear)
    assert ear.heard == {0: "One two.", 1: "Three\n\nfour. "}
    with pytest.raises(WritingCancelled):
        ScriptedModel(["One two three."]).complete([request()], listener=Listening(patience=1))


def test_it_keeps_to_the_template_it_is_asked_for() -> None:
    model = ScriptedModel()
    asked = f"{PASSAGES}\n\n## Bess\n## Tom"
    joint = model.complete([request(asked, task=Task.JOINT)])[0].text
    assert [row for row in joint.splitlines() if row.startswith("##")] == ["## Bess", "## Tom"]
    assert "insufficient" in joint.split("## Tom")[1]
    assert model.complete([request(asked, task=Task.ANALYSIS)])[0].text.startswith("## Bess\n")
    assert "insufficient" in model.complete([request("Nothing here.")])[0].text


def test_notes_on_stretches_are_answered_from_too() -> None:
    parts = "Stretch 1: Bess writes [3]. She sleeps [4, 5].\nStretch 2: She goes home [9]."
    assert ScriptedModel().complete([request(parts)])[0].text == (
        "Bess writes [3]. She sleeps [4, 5]. She goes home [9]."
    )
