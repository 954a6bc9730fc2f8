"""`llama` from end to end, with a tiny model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch

from coref.native.precision import fastest
from generation.errors import PromptTooLong, WritingCancelled
from generation.models.llama.model import LlamaModel
from generation.models.types import Completion, CompletionRequest, Finish, LlamaSetup, Message, MessageRole
from generation.types import Task
from tests.generation.models.llama.conftest import KNOWN


def ask(question: str, *, tokens: int = 24, temperature: float = 0.0, **rest: object) -> CompletionRequest:
    return CompletionRequest((Message(MessageRole.USER, question),), tokens, temperature=temperature, **rest)  # type: ignore[arg-type]


QUESTIONS = [
    ask("Who?", seed=1),
    ask("Who is Captain Crane, and whom does he dislike from the first day? " * 20, temperature=0.9, seed=2),
    ask("Who is Bess Farrow?", temperature=0.9, seed=3),
    ask("Who is Tom?", temperature=0.4, seed=4, tokens=7),
    ask("Describe Mr. Nuttall, the senior clerk, in one sentence. " * 2, temperature=1.3, seed=5, tokens=40),
]


@pytest.fixture(scope="module")
def model(tiny_llama: Path) -> LlamaModel:
    return LlamaModel(LlamaSetup(base=str(tiny_llama), batch=3))


def test_what_is_asked_beside_changes_nothing(model: LlamaModel) -> None:
    alone = [model.complete([request])[0] for request in QUESTIONS]
    for asked in (QUESTIONS, QUESTIONS[::-1], [*QUESTIONS, *QUESTIONS]):
        together = model.complete(asked)
        assert [c.text for c in together] == [alone[QUESTIONS.index(q)].text for q in asked]


def test_seeds_and_temperature_have_their_say(model: LlamaModel) -> None:
    def texts(**kind: object) -> list[str]:
        return [c.text for c in model.complete([ask("Who is Bess?", seed=s, **kind) for s in range(3)])]  # type: ignore[arg-type]

    assert len(set(texts(temperature=1.0))) == 3
    assert texts(temperature=1.0) == texts(temperature=1.0)
    assert len(set(texts(temperature=0.0))) == 1


def test_it_draws_as_the_makers_of_the_base_recommend(
    model: LlamaModel, tiny_llama: Path, tmp_path: Path
) -> None:
    base = tmp_path / "base"
    shutil.copytree(tiny_llama, base)
    (base / "generation_config.json").write_text(json.dumps({"do_sample": True, "top_k": 1}), "utf-8")
    narrow = LlamaModel(LlamaSetup(base=str(base), batch=3))
    hot = [ask("Who is Bess?", seed=seed, temperature=1.0) for seed in range(3)]
    likeliest = model.complete([ask("Who is Bess?")])[0].text
    assert {c.text for c in narrow.complete(hot)} == {likeliest}
    assert {c.text for c in model.complete(hot)} != {likeliest}


def test_adapters_serve_their_tasks(tiny_llama: Path, tiny_adapter: Path, taught: Path) -> None:
    adapters = {"analysis": taught, "default": tiny_adapter}
    model = LlamaModel(LlamaSetup(base=str(tiny_llama), adapters=adapters))
    plain = LlamaModel(LlamaSetup(base=str(tiny_llama)))
    only = LlamaModel(LlamaSetup(base=str(tiny_llama), adapters={"analysis": taught}))
    question = "Who is Tom?"
    tasks = [Task.DESCRIPTION, Task.ANALYSIS, Task.JOINT]
    said = [c.text for c in model.complete([ask(question, task=task) for task in tasks])]
    base = plain.complete([ask(question)])[0].text
    assert said[1] == KNOWN[question]
    assert said[0] == said[2] != base
    assert said[0] != said[1]
    # A task with no adapter of its own is answered by the base alone, also after another adapter was in use.
    assert [c.text for c in only.complete([ask(question, task=task) for task in tasks])] == [
        base,
        KNOWN[question],
        base,
    ]


def test_it_ends_where_the_model_ends_and_counts_what_it_took(tiny_llama: Path, taught: Path) -> None:
    model = LlamaModel(LlamaSetup(base=str(tiny_llama), adapters={"default": taught}, batch=2))
    requests = [ask(question, tokens=80) for question in KNOWN]
    for request, completion, told in zip(requests, model.complete(requests), KNOWN.values(), strict=True):
        assert completion.text == told
        assert completion.finish is Finish.STOP
        usage = completion.usage
        assert usage.prompt_tokens == model.count_prompt(request.messages)
        assert usage.completion_tokens == model.count_tokens(told) + 1
        assert usage.calls == 1
        assert usage.seconds > 0


def test_it_is_cut_off_at_the_limit_and_at_the_end_of_the_context(
    tiny_llama: Path, model: LlamaModel
) -> None:
    [short] = model.complete([ask("Who is Bess?", tokens=5)])
    assert (short.finish, short.usage.completion_tokens) == (Finish.LENGTH, 5)
    narrow = LlamaModel(LlamaSetup(base=str(tiny_llama), context=40))
    assert narrow.context == 40 < model.context
    [cut] = narrow.complete([ask("Who is Bess?", tokens=500)])
    assert cut.finish is Finish.LENGTH
    assert cut.usage.prompt_tokens + cut.usage.completion_tokens == 40
    with pytest.raises(PromptTooLong, match="leaves no room"):
        narrow.complete([ask("Who is Bess Farrow, and what does she do? " * 5)])


def test_long_prompts_are_read_in_parts(
    tiny_llama: Path, model: LlamaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    from generation.models.llama import network

    request = ask("Who is Captain Crane, and whom does he dislike? " * 6)
    whole = model.complete([request])[0].text
    monkeypatch.setitem(network.CHUNKS, "cpu", 16)
    assert model.complete([request])[0].text == whole


class Ears:
    def __init__(self, *, patience: int = 10**9) -> None:
        self.heard: dict[int, list[str]] = {}
        self.patience = patience

    def hear(self, request: int, piece: str) -> None:
        self.heard.setdefault(request, []).append(piece)

    def done(self, request: int, completion: Completion) -> None: ...

    def gone(self) -> bool:
        return sum(map(len, self.heard.values())) >= self.patience


def test_pieces_are_heard_as_they_come(model: LlamaModel) -> None:
    ears = Ears()
    completions = model.complete(QUESTIONS, listener=ears)
    for at, completion in enumerate(completions):
        assert "".join(ears.heard[at]) == completion.text
        assert len(ears.heard[at]) > 3
        assert all(ears.heard[at])


def test_no_character_is_torn(tiny_llama: Path, taught: Path) -> None:
    model = LlamaModel(LlamaSetup(base=str(tiny_llama), adapters={"default": taught}))
    ears = Ears()
    model.complete([ask("Who is Tom?", tokens=80)], listener=ears)
    assert "".join(ears.heard[0]) == KNOWN["Who is Tom?"]
    assert not any("\ufffd" in piece for piece in ears.heard[0])


def test_whoever_leaves_stops_it_soon(model: LlamaModel) -> None:
    ears = Ears(patience=4)
    with pytest.raises(WritingCancelled):
        model.complete([ask("Who is Bess?", tokens=900)], listener=ears)
    assert 4 <= len(ears.heard[0]) < 450
    # and the next one is served as ever
    assert model.complete([ask("Who is Bess?", tokens=5)])[0].usage.completion_tokens == 5


def test_nothing_asked_is_nothing_answered(model: LlamaModel) -> None:
    assert model.complete([]) == []


def test_the_name_tells_weights_apart(tiny_llama: Path, tiny_adapter: Path, taught: Path) -> None:
    def name(**adapters: Path) -> str:
        return LlamaModel(LlamaSetup(base=str(tiny_llama), adapters=adapters)).name

    names = [name(), name(default=taught), name(default=tiny_adapter), name(analysis=taught)]
    assert len(set(names)) == 4
    assert all(n.startswith(names[0]) for n in names)
    assert names[0].startswith("llama/1:")
    assert name(analysis=taught, default=tiny_adapter).count("+") == 2


@pytest.mark.soak
def test_the_precision_is_that_of_the_machine(tiny_llama: Path) -> None:
    model = LlamaModel(LlamaSetup(base=str(tiny_llama), device="cpu"))
    network = model._scheduler()._network
    assert {p.dtype for p in network.model.parameters()} == {fastest("cpu")}
    assert next(network.model.parameters()).device == torch.device("cpu")
