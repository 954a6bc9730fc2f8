"""Extracts by hand, and the context that each of the other systems gives a language model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from evaluation.portraits import extracts
from evaluation.portraits.errors import SystemUnknown, TaskUnsupported
from evaluation.portraits.systems import SYSTEMS, make_systems
from evaluation.portraits.types import OpenedBook, SystemAnswer
from generation.errors import DraftRejected, PromptTooLong, SummaryMissing
from generation.models.scripted_model import ScriptedModel
from generation.models.types import TemplateSet
from generation.registry import make_generator
from generation.types import AnswerLimits, Label, Strategy, Task
from generation.writing.answer_sizes import PASSAGES
from generation.writing.templating import Templates
from generation.writing.writer import PortraitWriter
from retrieval import sentences
from tests.evaluation.portraits.shop import ANNE, JOINT, PETER, SENTENCES, engines, opened, question

REFERENCE = "Anne, patient and proud, kept the lamp, and forgave her brother."


Ask = Callable[..., tuple[str, SystemAnswer, int]]
"""Returns all that the model was shown, the answer, and the number of requests."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> OpenedBook:
    return opened(tmp_path_factory.mktemp("shop"))


def extract(name: str, there: OpenedBook, **more: object) -> str:
    [system] = make_systems([name], replace(engines(), checks_extracts=False))
    return system.describe(question(there, **more)).text  # type: ignore[arg-type]


def test_the_sentences_that_mention_somebody(there: OpenedBook) -> None:
    """Pronouns count too; a name in a heading and others' sentences are left out."""
    found = extracts.mentioning(there.book, there.annotations, "anne")
    assert [sentences.flat(there.book.slice(c.span)) for c in found] == SENTENCES
    assert [c.chapter for c in found] == [0, 0, 0, 1, 1]
    assert extracts.mentioning(there.book, there.annotations, "nobody") == []


def test_lead(there: OpenedBook) -> None:
    assert extract("lead", there) == " ".join(SENTENCES[:2])
    assert extract("lead", there, sentences=99) == " ".join(SENTENCES)


def test_random_is_drawn_by_the_seed_and_told_in_order(there: OpenedBook) -> None:
    drawn = {extract("random", there, seed=seed) for seed in range(20)}
    assert len(drawn) > 4
    for text in drawn:
        places = [SENTENCES.index(f"{part}.") for part in text.rstrip(".").split(". ")]
        assert len(places) == 2
        assert places == sorted(places)
    assert extract("random", there, seed=3) == extract("random", there, seed=3)
    assert extract("random", there, sentences=99) == " ".join(SENTENCES)


def test_the_oracle_by_hand() -> None:
    """Reference "a b c d": the first takes "a b", then "c d" completes it, and "x" would lower the score."""
    assert extracts.best(["x y", "a b", "x", "c d", "a b"], "a b c d", 4) == [1, 3]
    assert extracts.best(["x y", "a b", "x", "c d", "a b"], "a b c d", 1) == [1]
    assert extracts.best(["a b c d", "a b"], "a b c d", 4) == [0]
    assert extracts.best(["x", "y"], "a b", 4) == []
    assert extracts.best([], "a b", 4) == []
    # "a a" matches the one "a" of the reference only once: (2·1/4 + 0)/2 against (2·1/3 + 0)/2 for "a".
    assert extracts.best(["a a", "a"], "a b", 1) == [1]


def test_the_oracle_sums_as_if_all_were_counted_anew() -> None:
    candidates = [*SENTENCES, "Anne and Anne and her brother.", "the lamp the lamp"]
    taken = extracts.best(candidates, REFERENCE, 5)
    for count in range(1, len(taken) + 1):
        chosen = [candidates[at] for at in taken[:count]]
        others = [c for at, c in enumerate(candidates) if at not in taken[: count - 1]]
        assert score(chosen) == pytest.approx(max(score([*chosen[:-1], other]) for other in others))
    assert all(score([candidates[at] for at in taken]) >= score([*chosen, c]) for c in candidates)


def score(chosen: list[str]) -> float:
    """Return the mean F1 of words and bigrams, computed plainly."""
    from collections import Counter

    from evaluation.metrics.tokens import words_of
    from generation.writing.overlaps import grams

    total = 0.0
    for width in (1, 2):
        theirs = Counter(grams(words_of(REFERENCE), width))
        mine = sum((Counter(grams(words_of(c), width)) for c in chosen), Counter())
        total += 2 * (mine & theirs).total() / (mine.total() + theirs.total())
    return total / 2


def test_the_oracle_goes_by_the_reference(there: OpenedBook) -> None:
    assert extract("oracle", there, reference=REFERENCE, sentences=1) == SENTENCES[3]
    assert extract("oracle", there, reference="Anne ran down.", sentences=4) == SENTENCES[2]
    [oracle, lead] = make_systems(["oracle", "lead"], engines())
    one, other = (question(there, reference=text) for text in ("one", "other"))
    assert oracle.made_of(one) != oracle.made_of(other)
    assert lead.made_of(one) == lead.made_of(other)


def test_extracts_are_checked_like_anybody(there: OpenedBook) -> None:
    [lead] = make_systems(["lead"], engines())
    answer = lead.describe(question(there))
    assert answer.portrait is not None
    assert [s.text for s in answer.portrait.sentences] == SENTENCES[:2]
    assert answer.portrait.sentences[0].citations[0].span.of(there.book.text) == SENTENCES[0]
    assert {fact.label for fact in answer.portrait.facts} == {Label.SUPPORTED}
    assert answer.usage.seconds > 0
    assert answer.portrait.provenance.judge == "believer/1"


def test_extracts_are_not_checked_for_metrics_that_count_no_facts(there: OpenedBook) -> None:
    [checked, lead] = (
        make_systems(["lead"], replace(engines(), checks_extracts=wanted))[0] for wanted in (True, False)
    )
    answer = lead.describe(question(there))
    assert (answer.text, answer.portrait) == (" ".join(SENTENCES[:2]), None)
    assert lead.made_of(question(there)) != checked.made_of(question(there))


@pytest.fixture
def ask(there: OpenedBook) -> Ask:
    def asked(name: str, *, beside: int = 4000, **more: object) -> tuple[str, SystemAnswer, int]:
        """Ask a system; `beside` is the number of context tokens besides instructions and answer."""
        room = PortraitWriter(ScriptedModel(context=8192)).room(Task.DESCRIPTION, AnswerLimits(words=40))
        assert room is not None
        model = ScriptedModel(context=8192 - int(room / PASSAGES) + beside)
        [system] = make_systems([name], engines(PortraitWriter(model)))
        answer = system.describe(question(there, **more))  # type: ignore[arg-type]
        requests = [request for call in model.asked for request in call]
        told = "\n".join(message.content for request in requests for message in request.messages)
        return told, answer, len(requests)

    return asked


def test_the_model_is_shown_the_beginning(ask: Ask) -> None:
    told, answer, _ = ask("truncation")
    assert "The rain fell" in told
    assert "Anne danced" in told
    assert answer.usage.prompt_tokens > 0
    assert answer.portrait is not None
    short, _, _ = ask("truncation", beside=60)
    assert "The rain fell" in short
    assert "Anne danced" not in short


def test_the_model_is_shown_what_names_her(ask: Ask) -> None:
    told, _, _ = ask("bm25")
    assert "Anne kept the lamp" in told
    assert "She lit the lamp" not in told
    assert "The rain fell" not in told


def test_the_model_is_shown_what_means_her(ask: Ask) -> None:
    told, _, _ = ask("mentions")
    assert "Anne kept the lamp" in told
    assert "She lit the lamp" in told
    assert "The rain fell" not in told


CAST = "- Anne\n- Peter"
"""The list of the main characters in a prompt."""
SMALL = 940
"""A context in which the book is read in stretches, if both are described together."""


@pytest.mark.parametrize(("plain", "listed"), [("mentions", "cast"), ("hierarchical", "hierarchical-cast")])
def test_a_list_of_the_main_characters_is_added(plain: str, listed: str, ask: Ask) -> None:
    without, with_list = (ask(name)[0] for name in (plain, listed))
    shown = [[line for line in told.splitlines() if line.startswith("[")] for told in (without, with_list)]
    assert shown[0] == shown[1] != []
    assert (CAST in without, CAST in with_list) == (False, True)


def test_the_model_is_shown_all_of_it(ask: Ask) -> None:
    """The model is shown the text in as many stretches as necessary.

    It is an error if the texts on two stretches do not fit together.
    """
    told, answer, _ = ask("hierarchical")
    for words in ("The rain fell", "A boat came in", "Anne danced"):
        assert words in told
    assert answer.portrait is not None
    assert answer.portrait.provenance.strategy is Strategy.HIERARCHICAL
    with pytest.raises(PromptTooLong, match="two stretches"):
        ask("hierarchical", beside=60)


def test_the_model_is_shown_nothing(ask: Ask) -> None:
    told, _, _ = ask("no-context")
    assert "Anne" in told
    assert "lamp at the point" not in told


def test_the_model_is_shown_a_summary(ask: Ask, there: OpenedBook) -> None:
    told, _, _ = ask("summary", summary="A keeper forgives her brother in the end.")
    assert "A keeper forgives her brother" in told
    assert "lamp at the point" not in told
    with pytest.raises(SummaryMissing):
        ask("summary")
    [system] = make_systems(["summary"], engines(PortraitWriter(ScriptedModel())))
    one, other = (question(there, summary=text) for text in ("one", "other"))
    assert system.made_of(one) != system.made_of(other)


@pytest.mark.parametrize("name", ["dense", "hybrid"])
def test_other_retrievers(name: str, ask: Ask) -> None:
    told, answer, _ = ask(name)
    assert "Anne kept the lamp" in told
    assert answer.portrait is not None
    assert answer.portrait.provenance.retriever == name


@pytest.mark.parametrize("shipped", TemplateSet)
def test_one_request_for_all_and_each_gets_their_entry(shipped: TemplateSet, there: OpenedBook) -> None:
    model = ScriptedModel([JOINT])
    [joint] = make_systems(
        ["joint"], engines(PortraitWriter(model, templates=Templates.load(shipped=shipped)))
    )
    anne, peter = (
        joint.describe(question(there, who=who, together=("anne", "peter"))) for who in ("anne", "peter")
    )
    assert (anne.text, peter.text) == (ANNE, PETER)
    [[request]] = model.asked
    assert request.task is Task.JOINT
    told = "\n".join(message.content for message in request.messages)
    for words in ("Anne", "Peter", "Anne kept the lamp", "Peter looked at it and wept"):
        assert words in told
    for answer in (anne, peter):
        assert answer.portrait is not None
        assert answer.portrait.task is Task.DESCRIPTION
        assert {fact.label for fact in answer.portrait.facts} == {Label.SUPPORTED}
        assert not [s.heading for s in answer.portrait.sentences if s.heading]
        assert answer.portrait.provenance.retriever == "telling"
        assert answer.usage.seconds > 0
    assert peter.portrait is not None
    assert [c.id for c in peter.portrait.characters] == ["peter"]


def test_a_joint_text_on_all_of_the_book(there: OpenedBook) -> None:
    """Each stretch is described for both at once, and the texts on them are merged into their entries."""
    model = ScriptedModel(context=SMALL)
    [joint] = make_systems(["hierarchical-joint"], engines(PortraitWriter(model)))
    for who in ("anne", "peter"):
        answer = joint.describe(question(there, who=who, together=("anne", "peter")))
        assert answer.portrait is not None
        assert [c.id for c in answer.portrait.characters] == [who]
        assert answer.portrait.provenance.strategy is Strategy.HIERARCHICAL
    stretches, merging = model.asked
    told = [request.messages[-1].content for request in stretches]
    assert len(told) > 1
    assert all(CAST in each and "Describe Anne and Peter as this stretch shows them" in each for each in told)
    for words in ("The rain fell", "A boat came in", "Anne danced"):
        assert words in "\n".join(told)
    assert {request.task for request in merging} == {Task.JOINT}
    assert all("Stretch 1: " in request.messages[-1].content for request in merging)


def test_all_share_the_tokens_of_a_joint_text(there: OpenedBook) -> None:
    model = ScriptedModel([JOINT])
    [joint] = make_systems(["joint"], engines(PortraitWriter(model)))
    shares = [
        joint.describe(question(there, who=who, together=("anne", "peter"))).usage
        for who in ("anne", "peter")
    ]
    [[request]] = model.asked
    for total, spent in (
        (model.count_prompt(request.messages), [s.prompt_tokens for s in shares]),
        (model.count_tokens(JOINT), [s.completion_tokens for s in shares]),
    ):
        assert sum(spent) == total
        assert max(spent) - min(spent) <= 1
    assert [s.calls for s in shares] == [1, 1]


def test_a_joint_text_is_of_the_people_it_is_about(there: OpenedBook) -> None:
    model = ScriptedModel([f"## Anne\n{ANNE}", JOINT])
    [joint] = make_systems(["joint"], engines(PortraitWriter(model)))
    alone, both = (question(there, together=people) for people in (("anne",), ("anne", "peter")))
    assert joint.made_of(both)["people"] == {"anne": "Anne", "peter": "Peter"}
    assert joint.made_of(alone) != joint.made_of(both)
    assert joint.describe(alone).text == joint.describe(both).text == ANNE
    assert len(model.asked) == 2


def test_a_joint_text_that_is_rejected_is_not_requested_for_each(there: OpenedBook) -> None:
    model = ScriptedModel(["Nonsense."] * 6)
    [joint] = make_systems(["joint"], engines(PortraitWriter(model)))
    requests = []
    for who in ("anne", "peter"):
        with pytest.raises(DraftRejected):
            joint.describe(question(there, who=who, together=("anne", "peter")))
        requests.append(len(model.asked))
    assert requests[0] == requests[1]


def test_nobody_is_analysed_together(there: OpenedBook) -> None:
    model = ScriptedModel()
    [joint] = make_systems(["joint"], engines(PortraitWriter(model)))
    with pytest.raises(TaskUnsupported, match="`joint` writes descriptions and no analysis"):
        joint.describe(question(there, together=("anne", "peter"), task=Task.ANALYSIS))
    assert not model.asked


def test_the_house_writer(there: OpenedBook) -> None:
    [offline] = make_systems(["offline"], engines())
    assert offline.describe(question(there)).text
    made = offline.made_of(question(there))
    assert made["prompts"] is None
    assert len(str(made["code"])) == 64
    assert offline.made_of(question(there, words=50)) != made


def test_who_is_asked_for() -> None:
    assert [s.name for s in make_systems(["oracle", "lead", "oracle"], engines())] == ["oracle", "lead"]
    with pytest.raises(SystemUnknown, match="no system `nobody`"):
        make_systems(["lead", "nobody"], engines())
    with pytest.raises(SystemUnknown, match="needs a language model, and no generator is given"):
        make_systems(["bm25"], engines())
    with pytest.raises(SystemUnknown, match="`offline` has none"):
        make_systems(["bm25"], engines(make_generator("offline")))
    assert len(make_systems(list(SYSTEMS), engines(PortraitWriter(ScriptedModel())))) == 17
