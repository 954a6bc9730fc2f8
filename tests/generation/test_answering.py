from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest

from books.gate import cut
from books.types import Book, Span
from coref.gate import gate
from coref.types import Annotations
from generation import answering, serialise
from generation.answering import answered
from generation.checking.judges.llm_judge import LlmJudge
from generation.checking.prisma import NOT_CHECKED
from generation.checking.protocols import Judge, Judged
from generation.checking.types import Case
from generation.contexts import make_context
from generation.errors import DraftRejected
from generation.models.scripted_model import ScriptedModel
from generation.protocols import Generator
from generation.registry import make_generator, make_judge
from generation.types import (
    AnswerLimits,
    Category,
    Citation,
    Draft,
    Label,
    Portrait,
    Prompt,
    Provenance,
    Sentence,
    StatedFact,
    Strategy,
    Task,
    Verdict,
)
from generation.writing.modelless import Modelless
from generation.writing.prompts import make_prompt
from generation.writing.writer import PortraitWriter
from retrieval.types import Passage
from tests.generation.checking.test_judge_llm import said
from tests.generation.checking.test_proven_judge import RIGHT, Marks, answers, proven
from tests.generation.indexed import IndexedStory
from tests.generation.novel import Found, passages

SAVED = "Bess Farrow saved Captain Crane from the water [5]."
PROVENANCE = Provenance("sha", "hand/1", "all", "offline/1", "offline/1", 0, None, 0)


def write(
    prompt: Prompt,
    model: Generator | str,
    judge: Judge | None = None,
    limits: AnswerLimits | None = None,
    found: Sequence[Passage] | None = None,
) -> Portrait:
    """`model` may be what a language model says."""
    return answering.write(
        prompt,
        generator=PortraitWriter(ScriptedModel([model])) if isinstance(model, str) else model,
        judge=judge or make_judge("offline"),
        limits=limits or AnswerLimits(words=40),
        retriever=Found(passages(prompt.context.book) if found is None else found),
        provenance=PROVENANCE,
    )


def composed(story: IndexedStory, *who: str, task: Task = Task.DESCRIPTION, by: str = "offline") -> Portrait:
    limits = AnswerLimits(words=answering.default_words(task))
    return write(story.prompt(task, *who), make_generator(by), limits=limits)


def asked(story: IndexedStory) -> Prompt:
    return replace(story.prompt(Task.DESCRIPTION, "bess"), passages=tuple(passages(story.book)))


@pytest.mark.parametrize("who", ["bess", "tom", "crane", "nuttall", "lydia"])
def test_every_fact_of_an_offline_answer_is_judged(harbour_story: IndexedStory, who: str) -> None:
    portrait = composed(harbour_story, who)
    assert portrait.sentences
    assert portrait.prisma.facts == len(portrait.facts)
    assert {f.claim.sentence for f in portrait.facts} <= set(range(len(portrait.sentences)))
    assert portrait.prisma.decided == sum(f.label is not Label.UNCERTAIN for f in portrait.facts)
    assert (NOT_CHECKED in portrait.notes) is (portrait.prisma.precision is None)


def test_so_are_those_of_a_joint_description(harbour_story: IndexedStory) -> None:
    joint = composed(harbour_story, "bess", "tom", "crane", task=Task.JOINT)
    assert joint.prisma.facts == len(joint.facts)


def test_an_answer_carries_its_cost_and_where_it_came_from(harbour_story: IndexedStory) -> None:
    portrait = composed(harbour_story, "bess")
    assert portrait.provenance == PROVENANCE
    assert portrait.usage.seconds > 0
    assert serialise.from_dict(serialise.to_dict(portrait)) == portrait


def test_the_scripted_generator_is_caught(harbour_story: IndexedStory) -> None:
    labels = [f.verdict.label for f in composed(harbour_story, "bess", by="scripted").facts]
    assert len(labels) == 3
    assert Label.SUPPORTED not in labels[1:]


class _Firm:
    """A judge who believes nothing but quotations."""

    name = "firm"

    def judge(self, cases: Sequence[Case]) -> Judged:
        labels = (Label.SUPPORTED if case.claim.quoted else Label.UNSUPPORTED for case in cases)
        return Judged([Verdict(label, 1.0, (), self.name) for label in labels])


class _Composer(Modelless):
    """Composes one sentence, quotes the next, and remarks on the book."""

    name = "composer"

    def draft(self, prompt: Prompt, limits: AnswerLimits) -> Draft:
        told = [
            Sentence("Bess Farrow is a queen.", (), heading="Who she is", stated=(_stated(quoted=False),)),
            Sentence("“Bess saved Captain Crane.”", (), stated=(_stated(quoted=True),)),
            Sentence("The book says little else.", (), remark=True),
        ]
        return Draft(tuple(told))


def _stated(*, quoted: bool) -> StatedFact:
    return StatedFact("Bess is a queen.", Category.ROLE, Span(0, 16), "bess", quoted=quoted)


def test_what_the_book_does_not_bear_out_is_left_out_offline(harbour_story: IndexedStory) -> None:
    prompt = harbour_story.prompt(Task.DESCRIPTION, "bess")
    portrait = write(prompt, _Composer(), _Firm(), AnswerLimits())
    quoted, remark = portrait.sentences
    assert (quoted.heading, quoted.text) == ("Who she is", "“Bess saved Captain Crane.”")
    assert remark.text == "The book says little else."
    (fact,) = portrait.facts
    assert (fact.claim.sentence, fact.claim.quoted) == (0, True), "a remark has no facts"
    assert portrait.prisma.precision == 1


def test_what_a_model_leaves_uncited_is_looked_for_in_the_book(port: tuple[Book, Annotations]) -> None:
    """The prompt shows no passage: the evidence comes from the search that the checks use, too."""
    book, annotations = port
    prompt = make_prompt(make_context(book, annotations=annotations, people=["bess"]), task=Task.DESCRIPTION)
    said = "Bess Farrow saved Captain Crane from the water. Bess Farrow flew to the moon on a zeppelin."
    saved, flew = write(prompt, said, limits=AnswerLimits()).sentences
    assert any("Crane" in book.slice(c.span) for c in saved.citations)
    assert flew.citations == ()


class _Seeing:
    """A judge who supports a claim if one word is in what it is shown, and says where."""

    name = "seeing"

    def __init__(self, word: str) -> None:
        self._word = word

    def judge(self, cases: Sequence[Case]) -> Judged:
        made: list[Verdict] = []
        for case in cases:
            where = tuple(Citation(e.span, e.chapter) for e in case.evidence if self._word in e.text)
            label = Label.SUPPORTED if where else Label.UNSUPPORTED
            made.append(Verdict(label, 0.8, where[:1], self.name))
        return Judged(made)


@pytest.mark.parametrize(("word", "cited"), [("brown and obliging", True), ("zeppelin", False)])
def test_a_passage_that_is_not_believed_is_still_shown_to_the_judge(
    harbour_story: IndexedStory, word: str, cited: bool
) -> None:
    """And what the judge supports by it is cited after all."""
    prompt = asked(harbour_story)
    number = next(n for n, p in enumerate(prompt.passages, 1) if "brown and obliging" in p.text)
    text = f"Bess Farrow has quite a southern complexion [{number}]."
    (sentence,) = write(prompt, text, _Seeing(word), AnswerLimits(words=10), found=[]).sentences
    assert [word in harbour_story.book.slice(c.span) for c in sentence.citations] == [True] * cited
    assert sentence.offered == ()


@pytest.mark.parametrize(
    ("passed", "label", "cited"),
    [
        (True, "unsupported", False),
        (True, "uncertain", True),
        (True, "supported", True),
        (False, "unsupported", True),
    ],
)
def test_what_a_proven_judge_finds_nowhere_has_no_citation(
    harbour_story: IndexedStory, passed: bool, label: str, cited: bool
) -> None:
    """One that was not examined, or that failed, may be wrong: its doubts are only shown."""
    verdict = said((1, label, [1]))
    judge = proven([*answers(RIGHT), verdict], Marks())[0] if passed else LlmJudge(ScriptedModel([verdict]))
    portrait = write(asked(harbour_story), SAVED, judge, AnswerLimits(words=20))
    assert [fact.label for fact in portrait.facts] == [Label(label)]
    assert bool(portrait.sentences[0].citations) is cited


@pytest.mark.parametrize(("tokens", "paid"), [(None, True), (1_000_000, True), (2_000, False)])
def test_checks_that_the_budget_does_not_allow_are_made_offline(
    harbour_story: IndexedStory, tokens: int | None, paid: bool
) -> None:
    model = ScriptedModel()
    portrait = write(asked(harbour_story), SAVED, LlmJudge(model), AnswerLimits(words=20, tokens=tokens))
    assert bool(model.asked) is paid
    assert (answering.UNAFFORDABLE in portrait.notes) is not paid
    assert portrait.provenance.judge.startswith("offline/")
    assert {fact.verdict.judge.partition("/")[0] for fact in portrait.facts} == {"llm" if paid else "offline"}


def test_the_length_depends_on_the_task() -> None:
    assert answering.default_words(Task.DESCRIPTION) == 90
    assert answering.default_words(Task.ANALYSIS) == 600
    assert answering.default_words(Task.JOINT) < 90


def test_evidence_past_the_gate_is_not_looked_at(port: tuple[Book, Annotations]) -> None:
    book, annotations = port
    upto = book.end_of_chapter(2)
    context = make_context(
        cut(book, upto), annotations=gate(annotations, upto=upto), people=["bess"], upto=upto
    )
    examined = answering.examine(
        _saying("Bess Farrow saved Captain Crane from the water."),
        context=context,
        judge=make_judge("offline"),
        retriever=Found(passages(book)),
    )
    assert [f.verdict.label for f in examined.facts] != [Label.SUPPORTED]
    assert all(c.span.end <= upto for f in examined.facts for c in f.verdict.evidence)


def _saying(text: str) -> Draft:

    return Draft((Sentence(text, ()),))


NONSENSE = (
    "Bess Farrow is a young magician of seventy who served in the Royal Navy and rules a kingdom in Peru. "
    "Her dragons are famous in every casino, and she has written eleven operas about tractors."
)


@pytest.mark.parametrize("strategy", list(Strategy))
def test_a_text_of_which_nothing_is_in_the_book_is_rejected(
    harbour_story: IndexedStory, strategy: Strategy
) -> None:
    prompt = replace(asked(harbour_story), strategy=strategy, summary="Bess leaves.")
    written = partial(write, prompt)
    if strategy in (Strategy.NO_CONTEXT, Strategy.SUMMARY):
        assert written(NONSENSE).sentences, "these were not shown the book"
        return
    with pytest.raises(DraftRejected, match="Nothing of what the model wrote") as rejected:
        written(NONSENSE)
    assert rejected.value.usage.calls == 1
    assert written(f"{NONSENSE} {SAVED}").sentences
    assert written("The evidence on Bess Farrow is insufficient for a description.").sentences
    with pytest.raises(DraftRejected, match="Nothing of what the model wrote"):
        written("The man waits with the rook and talks about the weather in Timbuktu.")


def test_an_answer_of_which_the_book_bears_out_nothing_does_not_count(harbour_story: IndexedStory) -> None:
    context, shown = harbour_story.context("bess"), passages(harbour_story.book)
    prompt = make_prompt(context, task=Task.QUESTION, passages=shown, question="Who is Tom's grandfather?")
    written = partial(write, prompt)
    unknown = written("The passages do not mention a grandfather.")
    assert (unknown.text, answered(unknown)) == ("The passages do not mention a grandfather.", False)
    assert answered(written(SAVED))
    plain, invented = (written(f"{SAVED} He lives in Rome{mark}.") for mark in ("", " [99]"))
    assert plain.sentences == invented.sentences
    assert plain.facts == invented.facts
