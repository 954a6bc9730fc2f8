"""What of the book a language model is shown, what an answer may cost, and what stands in for a bad one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import cast

import pytest

from books.errors import BookwormError
from generation.errors import (
    BudgetExceeded,
    DraftRejected,
    GeneratorUnavailable,
    StrategyUnsupported,
    SummaryMissing,
    WritingCancelled,
)
from generation.models.scripted_model import ScriptedModel
from generation.models.types import WriterSetup
from generation.registry import GENERATORS
from generation.types import AnswerLimits, Prompt, Strategy, Task
from generation.writing.writer import PortraitWriter
from retrieval.passages import split
from service.assembly import assembled
from service.errors import SummaryTooLong
from service.library import Library
from service.services import Services
from service.settings import Settings
from service.usecases import answers as portraits
from service.usecases.answer_request import SUMMARY_MOST, OpenRequest, Wanted
from tests.service.conftest import HOME
from tests.service.writers import KINDS, REASON, SPENT, Double, Slow

SUMMARY = "A miller hires a stranger, and she stays."


@pytest.fixture(scope="module", autouse=True)
def doubles() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, kind in KINDS.items():
            patch.setitem(GENERATORS, name, _maker(name, kind))
        yield


def _maker(name: str, kind: type[Double]) -> Callable[[WriterSetup], Double]:
    return lambda _: kind(name)


class Ear:
    """An audience that remembers."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.left = False

    def hear(self, piece: str) -> None:
        self.heard.append(piece)

    def advance(self, done: int, parts: int) -> None: ...

    def think(self) -> None: ...

    def again(self, reason: str) -> None:
        self.heard = [f"again: {reason}"]

    def gone(self) -> bool:
        return self.left


def ask(services: Services, book_id: str, *, task: Task = Task.DESCRIPTION, **wanted: object) -> OpenRequest:
    asked = Wanted(**{"generator": "watched", **wanted})  # type: ignore[arg-type]
    view = Library(services, HOME).view(book_id, asked.upto)
    return portraits.ask(services, view, task=task, names=["Mr. Ford"], wanted=asked)


def shown(services: Services, book_id: str, **wanted: object) -> Prompt:
    """What the writer is given. Nothing that it writes is kept, cited or checked."""
    question = ask(services, book_id, generator="babbling", refresh=True, **wanted)
    with pytest.raises(DraftRejected):
        portraits.answer(services, question, instead=False)
    return cast(Double, question.generator).given[-1]


def test_what_each_strategy_shows(services: Services, book_id: str) -> None:
    book = services.shelf.open(book_id, library=HOME).book
    whole = [passage.span for passage in split(book)]
    retrieved = shown(services, book_id, k=2, retriever="bm25")
    assert (retrieved.strategy, len(retrieved.passages)) == (Strategy.RETRIEVE, 2)
    assert shown(services, book_id, strategy=Strategy.NO_CONTEXT).passages == ()
    from_summary = shown(services, book_id, summary=SUMMARY)
    assert (from_summary.strategy, from_summary.passages) == (Strategy.SUMMARY, ())
    assert from_summary.summary == SUMMARY
    everything = shown(services, book_id, strategy=Strategy.HIERARCHICAL)
    assert [p.span for p in everything.passages] == whole
    lead = shown(services, book_id, strategy=Strategy.LEAD)
    assert [p.span for p in lead.passages] == whole


@pytest.mark.parametrize(
    ("wanted", "retriever"), [({}, "none"), ({"retriever": "bm25"}, "bm25"), ({"k": 2}, "telling")]
)
def test_without_a_model_the_whole_book_is_gone_by_unless_passages_are_asked_for(
    services: Services, book_id: str, wanted: dict[str, object], retriever: str
) -> None:
    question = ask(services, book_id, generator="offline", refresh=True, **wanted)
    assert question.request.provenance.retriever == retriever
    assert portraits.answer(services, question).portrait.sentences


def test_lead_is_a_beginning_without_gaps_that_fits(services: Services, book_id: str) -> None:
    question = ask(services, book_id, generator="narrow", strategy=Strategy.LEAD, refresh=True)
    portraits.answer(services, question)
    passages = cast(Double, question.generator).given[-1].passages
    assert [p.index for p in passages] == list(range(len(passages)))
    assert 0 < sum(question.generator.count_tokens(p.text) for p in passages) <= 60
    retrieved = ask(services, book_id, generator="narrow", refresh=True)
    portraits.answer(services, retrieved)
    fitted = cast(Double, retrieved.generator).given[-1].passages
    assert 0 < sum(question.generator.count_tokens(p.text) for p in fitted) <= 60


@pytest.mark.parametrize("strategy", [Strategy.LEAD, Strategy.HIERARCHICAL, Strategy.RETRIEVE])
def test_the_gate_holds_for_all(services: Services, book_id: str, strategy: Strategy) -> None:
    given = shown(services, book_id, strategy=strategy, upto="2")
    end = services.shelf.open(book_id, library=HOME).book.end_of_chapter(2)
    assert given.passages
    assert all(p.span.end <= end for p in given.passages)
    assert "Ward" not in given.context.book.text


def test_what_was_written_on_the_first_parts_is_kept_when_the_reader_reads_on(
    services: Services, book_id: str
) -> None:
    """Behind the later gate Miss Lane is called Mrs. Ward."""
    sooner, later = ScriptedModel(), ScriptedModel()
    for upto, model in (("2", sooner), (None, later)):
        given = shown(services, book_id, task=Task.RECAP, upto=upto)
        assert given.cast_list
        PortraitWriter(model).generate(given, AnswerLimits(words=30, chunk=60))
    before, after = ([r.messages[-1].content for r in model.asked[0]] for model in (sooner, later))
    assert len(after) > len(before) == len(set(before) & set(after)) > 1
    assert "Mr. Ford speaks" in "".join(before)
    assert not any("Ward" in told for told in before)
    assert "Ward" in after[-1]
    assert sum("Mr. Ford" in told.partition("most often mentioned")[2] for told in before) > 1


def test_the_answer_says_how_it_was_made(services: Services, book_id: str) -> None:
    question = ask(services, book_id, strategy=Strategy.LEAD, refresh=True)
    portrait = portraits.answer(services, question).portrait
    assert (portrait.provenance.strategy, portrait.provenance.retriever) == (Strategy.LEAD, "lead")
    assert portrait.provenance.prompts == question.generator.prompts
    assert portrait.usage.calls >= 1
    assert portrait.usage.prompt_tokens > 0
    again = portraits.answer(services, replace(question, refresh=False))
    assert (again.cached, again.portrait) == (True, portrait)


def test_the_cast_is_listed_where_the_book_is_shown(services: Services, book_id: str) -> None:
    assert shown(services, book_id).cast_list
    assert shown(services, book_id, strategy=Strategy.HIERARCHICAL).cast_list
    assert not shown(services, book_id, cast_list=False).cast_list
    assert not shown(services, book_id, strategy=Strategy.NO_CONTEXT).cast_list
    assert shown(services, book_id, strategy=Strategy.NO_CONTEXT, cast_list=True).cast_list


def test_notes_are_made_where_passages_are_found(services: Services, book_id: str) -> None:
    assert shown(services, book_id).telling
    for strategy in (Strategy.LEAD, Strategy.HIERARCHICAL, Strategy.NO_CONTEXT):
        assert not shown(services, book_id, strategy=strategy).telling


@pytest.mark.parametrize(
    "other",
    [
        {"strategy": Strategy.LEAD},
        {"strategy": Strategy.HIERARCHICAL},
        {"strategy": Strategy.NO_CONTEXT},
        {"summary": SUMMARY},
        {"temperature": 0.9},
        {"cast_list": False},
        {"k": 3},
        {"tokens": 50_000},
        {"seed": 3},
        {"words": 40},
    ],
)
def test_whatever_changes_an_answer_is_in_its_key(
    services: Services, book_id: str, other: dict[str, object]
) -> None:
    assert ask(services, book_id, **other).request.key != ask(services, book_id).request.key


def test_summaries_have_keys_of_their_own(services: Services, book_id: str) -> None:
    keys = {ask(services, book_id, summary=text).request.key for text in (SUMMARY, SUMMARY + " Long.")}
    assert len(keys) == 2


def test_what_only_a_model_heeds_does_not_part_offline_answers(services: Services, book_id: str) -> None:
    plain = ask(services, book_id, generator="offline")
    warm = ask(services, book_id, generator="offline", temperature=1.5, tokens=9)
    assert warm.request.key == plain.request.key


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        ({"generator": "offline", "strategy": Strategy.LEAD}, StrategyUnsupported),
        ({"generator": "scripted", "strategy": Strategy.NO_CONTEXT}, StrategyUnsupported),
        ({"generator": "offline", "summary": SUMMARY}, StrategyUnsupported),
        ({"generator": "offline", "cast_list": True}, StrategyUnsupported),
        ({"strategy": Strategy.LEAD, "retriever": "bm25"}, StrategyUnsupported),
        ({"strategy": Strategy.HIERARCHICAL, "k": 5}, StrategyUnsupported),
        ({"strategy": Strategy.RETRIEVE, "summary": SUMMARY}, StrategyUnsupported),
        ({"strategy": Strategy.SUMMARY}, SummaryMissing),
        ({"summary": " \n"}, SummaryMissing),
        ({"summary": "x" * (SUMMARY_MOST + 1)}, SummaryTooLong),
        ({"generator": "llama"}, GeneratorUnavailable),
        ({"generator": "openai"}, GeneratorUnavailable),
    ],
)
def test_what_makes_no_sense_is_refused(
    services: Services, book_id: str, wanted: dict[str, object], error: type[BookwormError]
) -> None:
    with pytest.raises(error):
        ask(services, book_id, **wanted)


def test_a_plain_question_to_offline_passes_over_the_settings_strategy(book_id: str, lead: Services) -> None:
    assert ask(lead, book_id, generator="offline").request.provenance.strategy is Strategy.RETRIEVE
    assert ask(lead, book_id).request.provenance.strategy is Strategy.LEAD


@pytest.fixture(scope="module")
def lead(read_once: tuple[Settings, str]) -> Iterator[Services]:
    """By other settings."""
    others = {"strategy": Strategy.LEAD, "temperature": 0.0, "answer_tokens": 3000, "offline_fallback": False}
    with assembled(read_once[0].model_copy(update=others), jobs_here=False) as services:
        yield services


def test_the_settings_fill_in_what_is_not_said(book_id: str, lead: Services, services: Services) -> None:
    limits = ask(lead, book_id).request.limits
    assert (limits.temperature, limits.tokens) == (0.0, 3000)
    assert ask(lead, book_id, tokens=200).request.limits.tokens == 200
    assert ask(lead, book_id, tokens=9999).request.limits.tokens == 3000
    assert ask(lead, book_id, temperature=1.0).request.limits.temperature == 1.0
    assert ask(services, book_id).request.limits.tokens is None


def test_a_rejected_draft_gives_way_to_the_offline_answer(services: Services, book_id: str) -> None:
    question, ear = ask(services, book_id, generator="babbling"), Ear()
    answer = portraits.answer(services, question, audience=ear)
    portrait = answer.portrait
    assert portrait.rejected is not None
    assert portrait.rejected.generator == "babbling/1"
    assert REASON in portrait.rejected.reason
    assert "rejected" in portrait.notes[-1]
    assert portrait.provenance.generator.startswith("offline")
    assert (answer.cached, answer.lasting) == (False, False)
    assert ear.heard[0].startswith("again: ")
    assert "Margaret" not in "".join(ear.heard)
    offline = portraits.answer(services, ask(services, book_id, generator="offline")).portrait
    assert offline.rejected is None
    assert offline.sentences == portrait.sentences
    assert portrait.usage == offline.usage + SPENT
    tries = len(cast(Double, question.generator).given)
    portraits.answer(services, question)
    assert len(cast(Double, question.generator).given) == tries + 1, "it is not kept as the model's answer"


def test_without_the_fallback_the_rejection_goes_out(book_id: str, lead: Services) -> None:
    with pytest.raises(DraftRejected, match=REASON):
        portraits.answer(lead, ask(lead, book_id, generator="babbling"))


def test_a_plan_makes_no_call(services: Services, book_id: str) -> None:
    question = ask(services, book_id, seed=77)
    given = cast(Double, question.generator).given
    before = len(given)
    planned = portraits.estimate(services, question)
    assert planned.plan.calls == 1
    assert planned.plan.prompt_tokens > 100
    assert planned.plan.completion_tokens > 0
    assert planned.passages > 0
    assert not planned.kept
    assert len(given) == before
    portraits.answer(services, question)
    kept = portraits.estimate(services, question)
    assert (kept.kept, kept.plan.calls) == (True, 0)
    assert not portraits.estimate(services, ask(services, book_id, seed=77, refresh=True)).kept


def test_a_budget_is_kept_to(services: Services, book_id: str) -> None:
    with pytest.raises(BudgetExceeded):
        portraits.answer(services, ask(services, book_id, tokens=50))
    assert portraits.answer(services, ask(services, book_id, tokens=50_000)).portrait.sentences


def test_an_audience_hears_what_is_written_and_what_is_kept(services: Services, book_id: str) -> None:
    first, second = Ear(), Ear()
    made = portraits.answer(services, ask(services, book_id, seed=5), audience=first)
    kept = portraits.answer(services, ask(services, book_id, seed=5), audience=second)
    assert (made.cached, kept.cached) == (False, True)
    assert len(first.heard) > 3
    assert second.heard == [made.portrait.text]


def test_who_asks_the_same_meanwhile_waits_for_that_answer(services: Services, book_id: str) -> None:
    question = ask(services, book_id, generator="slow", seed=8)
    given = cast(Double, question.generator).given
    before = len(given)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: portraits.answer(services, question), range(4)))
    assert len(given) == before + 1
    assert all(one.portrait == two.portrait for one, two in pairwise(answers))


def test_a_writer_stops_when_nobody_listens(services: Services, book_id: str) -> None:
    question, ear = ask(services, book_id, generator="slow", words=500), Ear()
    cast(Slow, question.generator).stopped.clear()
    threading.Timer(0.3, lambda: setattr(ear, "left", True)).start()
    with pytest.raises(WritingCancelled):
        portraits.answer(services, question, audience=ear)
    assert cast(Slow, question.generator).stopped.is_set()


def test_somebody_else_takes_it_up_when_the_first_has_left(services: Services, book_id: str) -> None:
    question, ear = ask(services, book_id, generator="slow", words=120, seed=9), Ear()

    def first() -> str:
        try:
            portraits.answer(services, question, audience=ear)
        except WritingCancelled as cancelled:
            return cancelled.code
        return "written"

    with ThreadPoolExecutor(2) as pool:
        leaves = pool.submit(first)
        while not ear.heard:
            time.sleep(0.01)
        waits = pool.submit(portraits.answer, services, question)
        ear.left = True
        assert leaves.result() == "writing_cancelled"
        assert waits.result().portrait.sentences
