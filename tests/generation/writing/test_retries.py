"""An answer that is not fit is requested once more, then rejected with the name of its fault."""

from __future__ import annotations

import pytest

from generation.errors import BudgetExceeded, DraftRejected
from generation.models.scripted_model import ScriptedModel
from generation.models.types import Completion, Finish
from generation.types import AnswerLimits, Task, Usage
from generation.writing.writer import PortraitWriter
from tests.generation.writing.told import Heard, Told, prompt

GOOD = "Bess Farrow is brown and obliging and comes by the morning train [1]. She is never late [3]."
LOOP = "Bess is late. " * 12
LONG = (
    "Bess Farrow is brown and obliging and comes by the morning train [1]. She corrects the tide table and "
    "writes to Mr. Nuttall [3]. She saves Captain Crane from the water [5]. She becomes the"
)


def test_another_seed_is_tried_and_told(harbour: Told) -> None:
    model, heard = ScriptedModel([LOOP, GOOD]), Heard()
    draft = PortraitWriter(model).generate(prompt(harbour, "bess"), AnswerLimits(seed=5), audience=heard)
    first, second = (call[0] for call in model.asked)
    assert first.messages == second.messages
    assert first.seed == 5 != second.seed
    assert [s.text for s in draft.sentences][1] == "She is never late."
    assert draft.notes == ("Asked again with another seed: of the first answer, it repeats itself.",)
    assert draft.usage.calls == 2
    assert heard.text.strip() == GOOD
    ((void, reason),) = heard.voided
    assert void.strip() == LOOP.strip()
    assert reason == draft.notes[0]


def test_without_a_temperature_the_second_try_has_one(harbour: Told) -> None:
    for given, second in ((0.0, 0.4), (0.9, 0.9)):
        model = ScriptedModel([LOOP, GOOD])
        PortraitWriter(model).generate(prompt(harbour, "bess"), AnswerLimits(temperature=given))
        assert [call[0].temperature for call in model.asked] == [given, second]


@pytest.mark.parametrize(
    ("answers", "named"),
    [
        ([LOOP, LOOP], "it repeats itself"),
        ([LOOP, "As an AI, I can't say anything of Bess Farrow."], "the model refuses, or speaks of itself"),
        (["", ""], "it is empty"),
    ],
)
def test_a_second_failure_is_the_end_and_is_named(harbour: Told, answers: list[str], named: str) -> None:
    model = ScriptedModel(answers)
    with pytest.raises(DraftRejected, match=named) as rejected:
        PortraitWriter(model).generate(prompt(harbour, "bess"), AnswerLimits())
    assert len(model.asked) == 2
    usage = rejected.value.usage
    assert usage.calls == 2
    assert usage.prompt_tokens == 2 * model.count_prompt(model.asked[0][0].messages)


def test_what_breaks_off_twice_is_kept_up_to_its_last_whole_sentence(harbour: Told) -> None:
    cut = Completion(LONG, Finish.LENGTH, Usage())
    draft = PortraitWriter(ScriptedModel([cut, cut])).generate(
        prompt(harbour, "bess"), AnswerLimits(words=40)
    )
    assert [s.text for s in draft.sentences][-1] == "She saves Captain Crane from the water."
    assert len(draft.notes) == 2
    assert "unfinished last sentence" in draft.notes[1]


def test_too_little_that_is_whole_is_rejected(harbour: Told) -> None:
    cut = Completion(LONG, Finish.LENGTH, Usage())
    with pytest.raises(DraftRejected, match="it is cut off"):
        PortraitWriter(ScriptedModel([cut, cut])).generate(prompt(harbour, "bess"), AnswerLimits(words=90))


def test_an_analysis_must_have_headings_and_a_description_loses_them(harbour: Told) -> None:
    analysis = f"## Development\n{GOOD}\n\n## Motives\nShe corrects the tide table [3]."
    bare = f"{LONG} senior clerk of all the Board, to the surprise of everybody [5]."
    model = ScriptedModel([bare, analysis])
    draft = PortraitWriter(model).generate(
        prompt(harbour, "bess", task=Task.ANALYSIS), AnswerLimits(words=600)
    )
    assert [s.heading for s in draft.sentences] == ["Development", None, "Motives"]
    assert "it breaks the template" in draft.notes[0]
    described = PortraitWriter(ScriptedModel([analysis])).generate(prompt(harbour, "bess"), AnswerLimits())
    assert [s.heading for s in described.sentences] == [None, None, None]


def test_copying_is_measured_against_the_passages_shown(harbour: Told) -> None:
    told = prompt(harbour, "bess")
    copied = " ".join(p.text.replace("\n", " ") for p in told.passages[:3]).replace("“", "").replace("”", "")
    with pytest.raises(DraftRejected, match="it copies the book"):
        PortraitWriter(ScriptedModel([copied, copied])).generate(told, AnswerLimits())


def test_a_second_try_beyond_the_budget_is_not_made(harbour: Told) -> None:
    model = ScriptedModel([LOOP, GOOD])
    plan = PortraitWriter(model).plan(prompt(harbour, "bess"), AnswerLimits())
    with pytest.raises(BudgetExceeded):
        PortraitWriter(model).generate(
            prompt(harbour, "bess"), AnswerLimits(tokens=plan.prompt_tokens + plan.completion_tokens)
        )
    assert len(model.asked) == 1


def test_an_answer_about_somebody_else_is_asked_for_again(harbour: Told) -> None:
    about = (
        "Captain Crane is the master of a ship [1]. Crane loses the ship on the bar [1]. Crane is saved [1]."
    )
    model = ScriptedModel([about, about])
    with pytest.raises(DraftRejected, match="about somebody else"):
        PortraitWriter(model).generate(prompt(harbour, "bess"), AnswerLimits())
