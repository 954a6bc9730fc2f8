"""How many tokens of a prompt are those that the prompt before it began with (`pytest -s` prints them)."""

from __future__ import annotations

from itertools import pairwise, takewhile

import pytest

from generation.answering import default_passages, default_words
from generation.contexts import make_context
from generation.models.llama.chat import Chat, encode_plain
from generation.models.scripted_model import ScriptedModel
from generation.models.types import Message
from generation.types import AnswerLimits, Strategy, Task
from generation.writing.passage_selection import query_for, shown
from generation.writing.prompts import make_prompt
from generation.writing.writer import PortraitWriter
from retrieval.registry import make_embedder, make_retriever
from retrieval.telling.sentences import telling_sentences
from tests.generation.models import tiny
from tests.novella import OpenedNovella

UNFIT = "No."
pytestmark = pytest.mark.soak


class TinyCounted(ScriptedModel):
    """Counts as the tiny Llama does."""

    def __init__(self, *script: str, context: int) -> None:
        super().__init__(script, context=context)
        self._tokenizer = tiny.make_tokenizer()
        self._chat = Chat(self._tokenizer, tiny.TEMPLATE)

    def count_tokens(self, text: str) -> int:
        return len(encode_plain(self._tokenizer, text))

    def count_prompt(self, messages: tuple[Message, ...]) -> int:  # type: ignore[override]
        return len(self._chat.encode(messages))

    def shares(self, what: str) -> list[tuple[int, int]]:
        """Return the length of each prompt after the first, with how much of it the one before has too."""
        ids = [self._chat.encode(request.messages) for requests in self.asked for request in requests]
        found = [
            (len(b), sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))))
            for a, b in pairwise(ids)
        ]
        print(what, *(f"{alike:,} of {length:,}" for length, alike in found), sep="; ")
        return found


class Desk:
    """The novella, whose first person is written about."""

    def __init__(self, low_water: OpenedNovella) -> None:
        self._book, self._annotations, self._index = low_water
        embedder = make_embedder("hashing")
        self._retrievers = {
            name: make_retriever(name, index=self._index, annotations=self._annotations, embedder=embedder)
            for name in ("mentions", "lead")
        }

    def write(
        self, model: ScriptedModel, task: Task, strategy: Strategy = Strategy.RETRIEVE, candidates: int = 1
    ) -> None:
        writer, person = PortraitWriter(model), self._annotations.characters[0]
        limits = AnswerLimits(words=default_words(task), candidates=candidates)
        people = [] if task is Task.SUMMARY else [person]
        passages = shown(
            strategy,
            self._retrievers["mentions" if strategy is Strategy.RETRIEVE else "lead"],
            generator=writer,
            task=task,
            limits=limits,
            query=query_for(people, k=default_passages(task)),
        )
        made = make_prompt(
            make_context(self._book, annotations=self._annotations, people=[p.id for p in people]),
            task=task,
            passages=passages,
            strategy=strategy,
            cast_list=True,
            telling=[s for p in people for s in telling_sentences(self._index, self._annotations, p.id)],
        )
        writer.generate(made, limits)


@pytest.fixture(scope="module")
def desk(low_water: OpenedNovella) -> Desk:
    return Desk(low_water)


def test_a_second_attempt_has_the_same_prompt(desk: Desk) -> None:
    model = TinyCounted(UNFIT, context=8192)
    desk.write(model, Task.DESCRIPTION)
    ((length, alike),) = model.shares("A second attempt")
    assert alike == length


def test_candidates_have_the_same_prompt(desk: Desk) -> None:
    model = TinyCounted(context=65_536)
    desk.write(model, Task.SUMMARY, Strategy.RANKED, candidates=3)
    shares = model.shares("Candidates")
    assert len(shares) == 2
    assert all(alike == length for length, alike in shares)


def test_an_analysis_begins_otherwise_than_a_description(desk: Desk) -> None:
    model = TinyCounted(context=16_384)
    desk.write(model, Task.DESCRIPTION)
    desk.write(model, Task.ANALYSIS)
    ((length, alike),) = model.shares("An analysis after a description of the same person")
    assert length > 10_000
    assert alike < length / 10


def test_stretches_and_their_merging_share_the_rules(desk: Desk) -> None:
    model = TinyCounted(context=8192)
    desk.write(model, Task.DESCRIPTION, Strategy.HIERARCHICAL)
    *stretches, merging = model.shares("Stretches of the whole book, and their merging")
    assert len(stretches) > 5
    assert all(alike < 600 for _, alike in (*stretches, merging))
