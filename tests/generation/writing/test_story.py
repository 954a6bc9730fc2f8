"""The story by a language model: read in parts, merged or brought up to date, kept, cited, and resumed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from books.types import Book, count_words
from coref.types import Annotations
from generation.errors import BudgetExceeded, DraftRejected, WritingCancelled
from generation.models.protocols import Listener
from generation.models.scripted_model import ScriptedModel
from generation.models.types import Completion, CompletionRequest, Finish, TemplateSet
from generation.types import IN_PARTS, AnswerLimits, Draft, Prompt, Strategy, Task, Usage
from generation.writing.assignment import SMALL_CONTEXT
from generation.writing.story_parts import PART_WORDS, counted_parts
from generation.writing.templating import Templates
from generation.writing.writer import PortraitWriter
from retrieval.types import EventSentence
from tests.generation.novel import story
from tests.generation.writing.told import Heard, Told, prompt, shown

DAYS = 50
WORDS = 60
LIMITS = AnswerLimits(words=WORDS)
CHUNK = 350
CONTEXT = 4_000
BEFORE = "This is a summary of what comes before"


@pytest.fixture(scope="module")
def diary() -> tuple[Book, Annotations]:
    return diary_of(DAYS)


def diary_of(number: int) -> tuple[Book, Annotations]:
    """Days in two chapters, one in a paragraph."""
    told = [
        f"On day {n} [Ann Hill|ann] counted the goats of field {n} and wrote number{n} into the long book."
        for n in range(1, number + 1)
    ]
    chapters = (told[: number // 2], told[number // 2 :])
    return story(
        "\n\n".join(f"# {n}\n\n" + "\n\n".join(days) for n, days in enumerate(chapters, 1)) + "\n",
        ann="Ann Hill/she",
    )


class Pages:
    """A notebook in memory."""

    def __init__(self, *, job: bool = False) -> None:
        """A job is shown what is not fit, too."""
        self.kept: dict[str, Completion] = {}
        self.unfit: dict[str, Completion] = {}
        self.job = job

    def get(self, key: str) -> Completion | None:
        return self.kept.get(key) or (self.unfit.get(key) if self.job else None)

    def put(self, key: str, completion: Completion, *, fit: bool) -> None:
        (self.kept if fit else self.unfit)[key] = completion


def whole(
    told: Told,
    task: Task = Task.SUMMARY,
    strategy: Strategy = Strategy.HIERARCHICAL,
    chapter: int | None = None,
) -> Prompt:
    made = replace(prompt(told, task=task), strategy=strategy, chapter=chapter)
    kept = tuple(p for p in made.passages if chapter in (None, p.chapter))
    return replace(made, passages=kept)


def write(model: ScriptedModel, asked: Prompt, limits: AnswerLimits | None = None, **more: Heard) -> Draft:
    limits = limits or replace(LIMITS, chunk=CHUNK)
    return PortraitWriter(model).generate(asked, limits, audience=more.get("audience"))


def said(number: int) -> str:
    return f"On day {number} Ann Hill writes number{number} into the book when all goats are in [{number}]."


def longer(number: int, sentences: int) -> str:
    return " ".join(said(number + n) for n in range(sentences))


def test_every_passage_is_read_once_in_parts_of_a_given_size(diary: Told) -> None:
    model = ScriptedModel(context=CONTEXT)
    draft = write(model, whole(diary))
    parts = model.asked[0]
    assert len(parts) > 3
    assert [n for request in parts for n in shown(request)] == list(range(1, DAYS + 1))
    for request in parts:
        lines = re.findall(r"^\[\d+\] .+$", request.messages[-1].content, re.MULTILINE)
        assert sum(map(model.count_tokens, lines)) <= CHUNK
        assert request.task is Task.SUMMARY
    assert f"Read in {len(parts)} parts." in draft.notes
    assert all(sentence.citations for sentence in draft.sentences)


def test_the_first_parts_stay_the_same_when_the_book_goes_on(diary: Told) -> None:
    asked = whole(diary)
    sooner, later = ScriptedModel(context=CONTEXT), ScriptedModel(context=CONTEXT)
    write(sooner, replace(asked, passages=asked.passages[:35]))
    write(later, asked, replace(LIMITS, chunk=CHUNK, words=3 * WORDS))
    before = [request.messages for request in sooner.asked[0]]
    assert before[:-1] == [request.messages for request in later.asked[0]][: len(before) - 1]


def test_the_last_text_points_into_the_book(diary: Told) -> None:
    model = ScriptedModel(context=CONTEXT)
    write(model, whole(diary))
    starts = [shown(request)[0] for request in model.asked[0]]
    script = [*map(said, starts), f"{said(starts[0])} {said(starts[-1])}"]
    heard = Heard()
    draft = write(ScriptedModel(script, context=CONTEXT), whole(diary), audience=heard)
    assert heard.text.strip() == script[-1], "the audience hears the summary, not the texts on the parts"
    places = [s.citations[0].span.of(diary[0].text).split(" Ann")[0] for s in draft.sentences]
    assert places == [f"On day {starts[0]}", f"On day {starts[-1]}"]


def test_a_book_that_fits_is_read_at_once(diary: Told) -> None:
    for strategy in IN_PARTS:
        model = ScriptedModel(context=50_000)
        write(model, whole(diary, strategy=strategy), LIMITS)
        assert [len(call) for call in model.asked] == [1]
        assert shown(model.asked[0][0]) == list(range(1, DAYS + 1))


def test_texts_that_do_not_fit_together_are_merged_after_the_one_before() -> None:
    many = ScriptedModel(context=SMALL_CONTEXT + 1)
    limits = replace(LIMITS, chunk=300, words=200)
    draft = write(many, whole(diary_of(2 * DAYS)), limits)
    parts, *rest = many.asked
    merges = [call[0].messages[-1].content for call in rest[:-1]]
    assert len(merges) >= 2
    assert BEFORE not in merges[0]
    assert any(BEFORE in merge for merge in merges[1:])
    for request in (r for call in many.asked for r in call):
        assert many.count_prompt(request.messages) + request.max_tokens <= many.context
    assert len(parts) > len(merges)
    assert draft.sentences


def test_a_part_that_is_not_fit_is_left_out_and_told(diary: Told) -> None:
    model = ScriptedModel(context=CONTEXT)
    write(model, whole(diary))
    count = len(model.asked[0])
    good = [said(shown(request)[0]) for request in model.asked[0]]
    script = ["", *good[1:], "", good[0]]
    draft = write(ScriptedModel(script, context=CONTEXT), whole(diary))
    assert f"Left out 1 of {count} parts: the texts on them were not fit." in draft.notes
    pages, limits = Pages(), replace(LIMITS, chunk=CHUNK)
    silent = PortraitWriter(ScriptedModel([""] * (2 * count), context=CONTEXT)).remembering(pages)
    with pytest.raises(DraftRejected, match=rf"None of the texts on the story is fit \({count} parts\)"):
        silent.generate(whole(diary), limits)
    assert not pages.kept
    with pytest.raises(DraftRejected):
        PortraitWriter(ScriptedModel([*good, "", ""], context=CONTEXT)).remembering(pages).generate(
            whole(diary), limits
        )
    assert [kept.text for kept in pages.kept.values()] == good
    later = ScriptedModel([good[0]], context=CONTEXT)
    assert PortraitWriter(later).remembering(pages).generate(whole(diary), limits).usage.calls == 1
    assert (counted_parts(1), counted_parts(2)) == ("1 part", "2 parts")


def test_the_summary_is_brought_up_to_date_part_after_part(diary: Told) -> None:
    first = ScriptedModel(context=CONTEXT)
    asked = whole(diary, strategy=Strategy.INCREMENTAL)
    write(first, asked)
    parts = [shown(call[0]) for call in first.asked]
    assert all(len(call) == 1 for call in first.asked)
    script = [said(numbers[0]) for numbers in parts]
    model = ScriptedModel(script, context=CONTEXT)
    draft = write(model, asked)
    for before, call in zip(script, model.asked[1:], strict=False):
        assert before.split(" [")[0] in call[0].messages[-1].content
    assert [n for call in model.asked for n in shown(call[0])] == list(range(1, DAYS + 1))
    assert draft.text == script[-1].split(" [")[0] + "."
    assert "one after the other" in draft.notes[0]


def test_a_summary_that_grows_too_long_is_compressed(diary: Told) -> None:
    asked = whole(diary, strategy=Strategy.INCREMENTAL, chapter=0)
    limits = AnswerLimits(words=40, chunk=CHUNK)
    model = ScriptedModel([longer(1, 6), said(2), said(30)], context=CONTEXT)
    draft = write(model, asked, limits)
    assert len(model.asked) == 3
    assert "too long" in model.asked[1][0].messages[-1].content
    assert said(2).split(" [")[0] in model.asked[2][0].messages[-1].content
    assert "On day 30" in draft.text


def test_a_text_of_the_wrong_length_is_asked_for_again_with_the_length_and_then_cut(diary: Told) -> None:
    limits = AnswerLimits(words=40)
    for first, second, kept in (
        (longer(1, 6), longer(1, 2), longer(1, 2)),
        (longer(1, 5), longer(1, 6), longer(1, 2)),
        (longer(1, 20), longer(1, 20), longer(1, 2)),
    ):
        pages = Pages()
        model = ScriptedModel([first, second], context=50_000)
        draft = PortraitWriter(model).remembering(pages).generate(whole(diary), limits)
        one, two = (call[0].messages[-1].content for call in model.asked)
        assert two.removeprefix(one).strip().startswith("A first attempt had")
        assert len(draft.sentences) == kept.count(".")
        later = ScriptedModel(context=50_000)
        again = PortraitWriter(later).remembering(pages).generate(whole(diary), limits)
        assert (later.asked, again.sentences) == ([], draft.sentences)
    assert any("its end is left out" in note for note in draft.notes)


def test_a_text_that_stays_short_is_taken_as_it_is(diary: Told) -> None:
    short = "Ann Hill counts the goats of the fields [1]."
    model = ScriptedModel([short, short], context=50_000)
    assert write(model, whole(diary), AnswerLimits(words=200)).text == short.replace(" [1]", "")
    assert "A first attempt had 8 words. Write about 200." in model.asked[1][0].messages[-1].content


def test_a_recap_is_made_of_the_updated_summary(diary: Told) -> None:
    asked = whole(diary, Task.RECAP, Strategy.INCREMENTAL, chapter=0)
    model = ScriptedModel([said(1), said(30), longer(30, 2)], context=CONTEXT)
    draft = write(model, asked)
    last = model.asked[-1][0].messages[-1].content
    assert "Write a recap" in last
    assert said(30).split(" [")[0] in last
    assert draft.text.startswith("On day 30")


def test_the_texts_that_the_book_bears_out_are_kept(diary: Told) -> None:
    asked = whole(diary, strategy=Strategy.RANKED)
    first = ScriptedModel(context=CONTEXT)
    write(first, asked)
    starts = [shown(request)[0] for request in first.asked[0]]
    false = "Ann Hill marries a captain in the city of Paris and sails with him to the east [{}]."
    script = [false.format(start) if n % 2 else said(start) for n, start in enumerate(starts)]
    model = ScriptedModel(script, context=CONTEXT)
    draft = write(model, asked, replace(LIMITS, chunk=CHUNK, words=35))
    assert len(model.asked) == 1, "nothing is merged"
    assert [s.text for s in draft.sentences] == [said(n).split(" [")[0] + "." for n in starts[::2]][:2]
    assert f"Read in {len(starts)} parts." in draft.notes
    assert any("2 are kept" in note for note in draft.notes)
    assert all(sentence.citations for sentence in draft.sentences)


def test_of_several_texts_on_a_part_the_best_is_taken(diary: Told) -> None:
    asked = whole(diary, strategy=Strategy.RANKED, chapter=0)
    limits = replace(LIMITS, chunk=CHUNK, candidates=3)
    first = ScriptedModel(context=CONTEXT)
    planned = PortraitWriter(first).plan(asked, limits)
    write(first, asked, limits)
    (requests,) = first.asked
    assert (planned.calls, len({r.seed for r in requests})) == (len(requests), 3)
    assert len(requests) == 3 * len({r.messages for r in requests})
    told = [shown(request) for request in requests[::3]]
    false = "Ann Hill marries a captain in the city of Paris and sails with him to the east [{}]."
    days = asked.passages
    main = [EventSentence(days[n[2] - 1].span, 0, 0, rank, 0.0) for rank, n in enumerate(told)]
    script = [text for n in told for text in (false.format(n[0]), said(n[0]), said(n[2]))]
    draft = write(ScriptedModel(script, context=CONTEXT), replace(asked, events=tuple(main)), limits)
    assert {s.text for s in draft.sentences} <= {said(n[2]).split(" [")[0] + "." for n in told}
    assert "Of 3 texts on each part the one that the book bears out best is taken." in draft.notes
    fits = ScriptedModel(["Nothing.", false.format(1), said(7)], context=50_000)
    draft = write(fits, whole(diary, strategy=Strategy.RANKED), replace(LIMITS, candidates=3))
    assert (draft.text, len(fits.asked[0])) == (said(7).split(" [")[0] + ".", 3)
    assert PortraitWriter(fits).plan(asked, replace(LIMITS, candidates=3)).calls == 3


def test_a_chapter_is_summarised_alone(diary: Told) -> None:
    model = ScriptedModel(context=50_000)
    write(model, whole(diary, chapter=1), LIMITS)
    (request,) = model.asked[0]
    assert "Summarise chapter 2 of the novel" in request.messages[-1].content


@pytest.mark.parametrize("strategy", IN_PARTS)
def test_a_small_model_is_asked_in_few_words(diary: Told, strategy: Strategy) -> None:
    def asked(context: int, templates: Templates | None = None) -> ScriptedModel:
        model = ScriptedModel(context=context)
        limits = replace(LIMITS, chunk=300, words=100)
        PortraitWriter(model, templates=templates).generate(whole(diary, strategy=strategy), limits)
        return model

    small, large = asked(SMALL_CONTEXT), asked(CONTEXT)
    by_setting = asked(CONTEXT, Templates.load(shipped=TemplateSet.SIMPLE))
    lengths = [sum(len(m.content) for m in each.asked[0][0].messages) for each in (small, large)]
    assert lengths[0] < 0.75 * lengths[1]
    for model in (small, by_setting):
        assert "Summarise this part of a story" in model.asked[0][0].messages[-1].content
        told = [request.messages[-1].content for call in model.asked for request in call]
        assert strategy is Strategy.INCREMENTAL or not any(BEFORE in text for text in told)
    assert "Summarise this part of a story" not in large.asked[0][0].messages[-1].content


def test_talk_of_parts_is_written_again_once(diary: Told) -> None:
    spoken = "In this part Ann Hill counts the goats of the field [1]."
    model = ScriptedModel([spoken, said(1)], context=50_000)
    heard = Heard()
    draft = write(model, whole(diary), LIMITS, audience=heard)
    assert draft.text == said(1).split(" [")[0] + "."
    assert any("spoke of its own parts" in note for note in draft.notes)
    assert [text for text, _ in heard.voided] == [spoken]


def test_a_text_that_is_too_short_twice_is_kept_and_not_asked_again(diary: Told) -> None:
    pages, limits, short = Pages(), AnswerLimits(words=100), "Ann Hill writes into the book [2]."
    model, later = ScriptedModel([short, short], context=50_000), ScriptedModel(context=50_000)
    draft = PortraitWriter(model).remembering(pages).generate(whole(diary), limits)
    again = PortraitWriter(later).remembering(pages).generate(whole(diary), limits)
    assert (len(model.asked), later.asked) == (2, [])
    assert again.sentences == draft.sentences


def test_nothing_that_is_kept_is_asked_again(diary: Told) -> None:
    pages, limits = Pages(), replace(LIMITS, chunk=CHUNK)
    first, second = ScriptedModel(context=CONTEXT), ScriptedModel(context=CONTEXT)
    told = PortraitWriter(first).remembering(pages).generate(whole(diary), limits)
    again = PortraitWriter(second).remembering(pages).generate(whole(diary), limits)
    assert second.asked == []
    assert again.usage == Usage()
    assert again.sentences == told.sentences
    assert (told.kept, again.kept) == (Usage(), told.usage), "what they had cost is told"


def test_what_is_kept_is_told_before(diary: Told) -> None:
    pages, limits, asked = Pages(), replace(LIMITS, chunk=CHUNK), whole(diary)
    writer = PortraitWriter(ScriptedModel(context=CONTEXT)).remembering(pages)
    first = writer.plan(asked, limits)
    usage = writer.generate(asked, limits).usage
    assert first.calls >= usage.calls > 3
    done = writer.plan(asked, limits)
    assert (done.calls, done.tokens, done.kept) == (0, 0, usage)
    pages.kept.pop(list(pages.kept)[1])
    some = writer.plan(asked, limits)
    assert (some.calls, some.kept.calls) == (first.calls - usage.calls + 2, usage.calls - 2)
    assert 0 < some.tokens < first.tokens
    left = writer.generate(asked, limits)
    assert (left.usage.calls, left.kept.calls) == (1, usage.calls - 1)


def test_what_is_not_fit_is_asked_again_but_not_by_the_same_job(diary: Told) -> None:
    limits, asked = replace(LIMITS, chunk=CHUNK), whole(diary)
    model = ScriptedModel(context=CONTEXT)
    write(model, asked)
    count = len(model.asked[0])
    good = [said(shown(request)[0]) for request in model.asked[0]]
    script = ["", *good[1:], good[0], good[0]]
    pages = Pages()
    PortraitWriter(ScriptedModel(script, context=CONTEXT)).remembering(pages).generate(asked, limits)
    later = ScriptedModel(context=CONTEXT)
    PortraitWriter(later).remembering(pages).generate(asked, limits)
    assert later.asked == [], "the second answer is that to the first request now"
    pages = Pages(job=True)
    with pytest.raises(DraftRejected):
        PortraitWriter(ScriptedModel([""] * (2 * count))).remembering(pages).generate(asked, limits)
    with pytest.raises(DraftRejected):
        PortraitWriter(ScriptedModel(good)).remembering(pages).generate(asked, limits)
    pages.job = False
    assert PortraitWriter(ScriptedModel(good)).remembering(pages).generate(asked, limits)


@pytest.mark.parametrize("strategy", IN_PARTS)
def test_a_summary_that_breaks_off_goes_on_where_it_stopped(diary: Told, strategy: Strategy) -> None:
    class Mortal(Pages):
        def put(self, key: str, completion: Completion, *, fit: bool) -> None:
            assert key not in self.kept, "no request is made twice"
            super().put(key, completion, fit=fit)
            if len(self.kept) in (3, 7):
                raise KeyboardInterrupt

    limits = replace(LIMITS, chunk=60)
    asked = whole(diary, strategy=strategy)
    alone = ScriptedModel(context=CONTEXT)
    told = write(alone, asked, limits)
    pages = Mortal()
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            PortraitWriter(ScriptedModel(context=CONTEXT)).remembering(pages).generate(asked, limits)
    last = PortraitWriter(ScriptedModel(context=CONTEXT)).remembering(pages).generate(asked, limits)
    assert len(pages.kept) == sum(map(len, alone.asked)) > 8
    assert last.text == told.text


def test_what_is_kept_is_not_paid_from_the_budget(diary: Told) -> None:
    pages = Pages()
    limits = replace(LIMITS, chunk=CHUNK)
    model = ScriptedModel(context=CONTEXT)
    cost = PortraitWriter(model).remembering(pages).generate(whole(diary), limits).usage
    pages.kept.pop(list(pages.kept)[-1])
    poor = replace(limits, tokens=(cost.prompt_tokens + cost.completion_tokens) // 2)
    with pytest.raises(BudgetExceeded):
        PortraitWriter(ScriptedModel(context=CONTEXT)).generate(whole(diary), poor)
    again = PortraitWriter(ScriptedModel(context=CONTEXT)).remembering(pages).generate(whole(diary), poor)
    assert again.usage.calls == 1
    used_up = replace(limits, tokens=10**6, spent=10**6)
    pages.kept.pop(list(pages.kept)[-1])
    with pytest.raises(BudgetExceeded, match="0 are left"):
        PortraitWriter(ScriptedModel(context=CONTEXT)).remembering(pages).generate(whole(diary), used_up)


def test_it_stops_when_nobody_waits_and_keeps_what_it_has(diary: Told) -> None:
    pages, limits = Pages(), replace(LIMITS, chunk=60)

    class Leaving(Heard):
        def gone(self) -> bool:
            return len(pages.kept) >= 5

    with pytest.raises(WritingCancelled):
        PortraitWriter(ScriptedModel(context=CONTEXT)).remembering(pages).generate(
            whole(diary), limits, audience=Leaving()
        )
    assert len(pages.kept) == 5


@pytest.mark.parametrize("task", [Task.SUMMARY, Task.RECAP])
@pytest.mark.parametrize("strategy", IN_PARTS)
def test_progress_is_told(diary: Told, strategy: Strategy, task: Task) -> None:
    steps: list[tuple[int, int]] = []

    class Following(Heard):
        def advance(self, done: int, parts: int) -> None:
            steps.append((done, parts))

    model = ScriptedModel(context=1_900)
    writer = PortraitWriter(model).remembering(Pages())
    limits = replace(LIMITS, chunk=200, words=150)
    writer.generate(whole(diary, task, strategy), limits, audience=Following())
    assert len(steps) > 1
    assert all(a[0] < b[0] for a, b in pairwise(steps))
    assert {parts for _, parts in steps} == {steps[-1][1]}
    merges = strategy is Strategy.HIERARCHICAL or (strategy, task) == (Strategy.INCREMENTAL, Task.RECAP)
    assert (steps[-1][0] < steps[-1][1]) == merges, "it is not done while the last text is written"


@pytest.mark.parametrize("strategy", IN_PARTS)
@pytest.mark.parametrize("task", [Task.SUMMARY, Task.RECAP])
@pytest.mark.parametrize("context", [2_400, CONTEXT, 50_000])
def test_it_costs_no_more_than_was_planned(diary: Told, strategy: Strategy, task: Task, context: int) -> None:
    asked, limits = whole(diary, task, strategy), replace(LIMITS, chunk=CHUNK)
    planned = PortraitWriter(ScriptedModel(context=context)).plan(asked, limits)
    model = ScriptedModel(context=context)
    spent = write(model, asked, limits).usage
    assert 0 < spent.calls <= planned.calls
    assert spent.prompt_tokens <= planned.prompt_tokens
    assert spent.completion_tokens <= planned.completion_tokens


class Wayward(ScriptedModel):
    """Answers every request in a wrong way."""

    def __init__(self, answer: Callable[[str], str | Completion]) -> None:
        super().__init__(context=CONTEXT)
        self.answer = answer

    def complete(
        self, requests: Sequence[CompletionRequest], *, listener: Listener | None = None
    ) -> list[Completion]:
        self._script = [self.answer(request.messages[-1].content) for request in requests]
        return super().complete(requests, listener=listener)


@pytest.mark.parametrize("strategy", IN_PARTS)
@pytest.mark.parametrize(
    "answer",
    [
        lambda _: "",
        lambda _: "I cannot help with that.",
        lambda prompt: prompt,
        lambda prompt: prompt.rpartition("</book>")[2].strip(),
        lambda prompt: " ".join(re.findall(r"On day \d+[^.]+\.", prompt)),
        lambda _: " ".join(["goat"] * 400),
        lambda _: f"{said(1)} " * 99,
        lambda _: Completion("On day", Finish.LENGTH, Usage()),
    ],
    ids=["nothing", "refusal", "prompt", "instructions", "book", "word", "sentence", "unfinished"],
)
def test_a_model_that_writes_nothing_fit_is_refused_and_nothing_is_kept(
    diary: Told, strategy: Strategy, answer: Callable[[str], str | Completion]
) -> None:
    pages, asked, limits = Pages(), whole(diary, strategy=strategy), replace(LIMITS, chunk=CHUNK)
    with pytest.raises(DraftRejected) as refused:
        PortraitWriter(Wayward(answer)).remembering(pages).generate(asked, limits)
    assert refused.value.usage.calls > 1, "what it has cost is told"
    assert not pages.kept


@pytest.mark.parametrize("strategy", IN_PARTS)
def test_a_model_that_never_ends_is_cut_after_a_sentence(diary: Told, strategy: Strategy) -> None:
    """It has something new to say, so nothing else is wrong with it."""

    def forever(prompt: str) -> str:
        numbers = dict.fromkeys(re.findall(r"\[(\d+)\]", prompt))
        return " ".join(
            f"On day {n} the man{n} sells a goat{n} to some girl{n} he knows [{n}]." for n in numbers
        )

    draft = write(Wayward(forever), whole(diary, strategy=strategy))
    assert draft.sentences
    assert all(sentence.text.endswith("he knows.") for sentence in draft.sentences)
    assert count_words(draft.text) <= 1.5 * WORDS


def test_parts_are_told_in_a_length_that_does_not_depend_on_the_summary(diary: Told) -> None:
    model = ScriptedModel(context=CONTEXT)
    with pytest.raises(DraftRejected):  # the double repeats itself in a long answer
        write(model, whole(diary), replace(LIMITS, chunk=CHUNK, words=500))
    assert f"about {PART_WORDS} words" in model.asked[0][0].messages[-1].content
