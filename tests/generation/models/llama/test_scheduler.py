"""Many calls share one network: who is served when, and what happens after a failure."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import PeftModel
from torch import Tensor
from transformers import AutoModelForCausalLM, DynamicCache

from generation.errors import GeneratorUnavailable, WritingCancelled
from generation.models.llama import attention
from generation.models.llama import scheduler as module
from generation.models.llama.cache_slots import SlotCache
from generation.models.llama.model import LlamaModel
from generation.models.llama.network import LlamaNetwork
from generation.models.llama.scheduler import AnswerRow, Scheduler
from generation.models.llama.token_text import TokenText
from generation.models.types import Completion, CompletionRequest, LlamaSetup, Message, MessageRole
from generation.models.writing_call import WritingCall
from tests.failing import fails
from tests.generation.models import tiny

PROMPTS = [list(range(6, 6 + length)) for length in (20, 600, 55, 21, 300)]


class Watched(LlamaNetwork):
    """Records its calls, and runs out of memory or fails when told to."""

    def __init__(self, model: Any, *, rows: int) -> None:
        super().__init__(model, device="cpu", rows=rows)
        self.together: list[int] = []
        self.most = 10**9
        self.fails: BaseException | None = None
        self.gate = threading.Event()
        self.gate.set()

    def step(
        self, tokens: Sequence[int], slots: SlotCache, adapters: Sequence[str | None] | None = None
    ) -> Tensor:
        self.together.append(len(tokens))
        self.gate.wait(20)
        if len(tokens) > self.most:
            raise torch.OutOfMemoryError("no memory for this many")
        if self.fails:
            raise self.fails
        return super().step(tokens, slots, adapters)


@pytest.fixture(scope="module")
def exact(tiny_llama: Path) -> Any:
    """In 32 bits, so that two orders of addition choose the same tokens."""
    return AutoModelForCausalLM.from_pretrained(
        tiny_llama, dtype=torch.float32, attn_implementation=attention.NAME
    )


def adapted(tiny_llama: Path, tiny_adapter: Path, folder: Path) -> Any:
    """With two adapters: `one` and `other`."""
    base = AutoModelForCausalLM.from_pretrained(
        tiny_llama, dtype=torch.float32, attn_implementation=attention.NAME
    )
    model = PeftModel.from_pretrained(base, tiny_adapter, adapter_name="one")
    model.load_adapter(tiny.adapt(tiny_llama, folder / "other", seed=7), adapter_name="other")
    return model.eval()


@pytest.fixture
def network(exact: Any) -> Watched:
    return Watched(exact, rows=4)


@pytest.fixture
def scheduler(network: Watched) -> Iterator[Scheduler]:
    made = Scheduler(network, ends=frozenset())
    yield made
    made.close()


def run(
    scheduler: Scheduler,
    tokenizer: Any,
    *,
    most: int = 25,
    temperature: float = 0.0,
    adapters: Sequence[str | None] = (None,),
) -> list[Completion]:
    """The prompts use the adapters by turns."""
    call = WritingCall()
    rows = [
        AnswerRow(call, at, prompt, adapter, most, temperature, seed=at, pieces=TokenText(tokenizer))
        for at, (prompt, adapter) in enumerate(zip(PROMPTS, cycle(adapters), strict=False))
    ]
    assert scheduler.submit(rows)
    return call.wait(len(rows), None)


def test_the_likeliest_tokens_are_those_of_transformers_own_loop(
    exact: Any, scheduler: Scheduler, tokenizer: Any
) -> None:
    completions = run(scheduler, tokenizer)
    for prompt, completion in zip(PROMPTS, completions, strict=True):
        made = exact.generate(
            torch.tensor([prompt]), max_new_tokens=25, do_sample=False, eos_token_id=639, pad_token_id=639
        )
        assert completion.text == tokenizer.decode(made[0, len(prompt) :], skip_special_tokens=True)


def test_slots_are_filled_again_as_answers_end(
    network: Watched, scheduler: Scheduler, tokenizer: Any
) -> None:
    run(scheduler, tokenizer)
    assert max(network.together) == 4
    assert sum(network.together) == 24 * len(PROMPTS)


def test_no_prompt_is_kept_while_another_is_read(
    network: Watched, scheduler: Scheduler, tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    caches: list[weakref.ref[DynamicCache]] = []
    alive: list[int] = []
    read = network.read

    def watched(ids: Sequence[int], **rest: Any) -> Any:
        made = read(ids, **rest)
        assert made is not None
        caches.append(weakref.ref(made[1]))
        return made

    def count(_: Any, given: tuple[Tensor, ...]) -> None:
        if given[0].shape[1] > 1:
            alive.append(sum(cache() is not None for cache in caches))

    monkeypatch.setattr(network, "read", watched)
    hook = network.model.register_forward_pre_hook(count)
    run(scheduler, tokenizer)
    hook.remove()
    assert len(caches) == len(PROMPTS)
    assert set(alive) == {0}


def test_short_of_memory_it_goes_on_with_half_the_batch(
    network: Watched, scheduler: Scheduler, tokenizer: Any
) -> None:
    whole = [c.text for c in run(scheduler, tokenizer, temperature=0.7)]
    network.together.clear()
    network.most = 2
    assert [c.text for c in run(scheduler, tokenizer, temperature=0.7)] == whole
    # One step too many, then never more than half, and no text is written twice.
    assert [count for count in network.together if count > 2] == [4]
    assert sum(network.together) - 4 == 24 * len(PROMPTS) - 4


def test_short_of_memory_again_it_says_so_and_serves_the_next(
    network: Watched, scheduler: Scheduler, tokenizer: Any
) -> None:
    network.most = 0
    with fails(GeneratorUnavailable, match="memory ran out"):
        run(scheduler, tokenizer)
    network.most = 2
    assert len(run(scheduler, tokenizer)) == len(PROMPTS)


def test_an_accident_reaches_the_caller_and_not_the_next_one(
    network: Watched, scheduler: Scheduler, tokenizer: Any
) -> None:
    network.fails = ZeroDivisionError("by accident")
    with pytest.raises(ZeroDivisionError, match="by accident"):
        run(scheduler, tokenizer)
    network.fails = None
    assert len(run(scheduler, tokenizer)) == len(PROMPTS)


def test_answers_with_different_adapters_are_written_together(
    tiny_llama: Path, tiny_adapter: Path, tokenizer: Any, tmp_path: Path
) -> None:
    texts: dict[str | None, list[str]] = {}
    network = Watched(adapted(tiny_llama, tiny_adapter, tmp_path), rows=4)
    scheduler = Scheduler(network, ends=frozenset())
    try:
        for name in (None, "one", "other"):
            texts[name] = [c.text for c in run(scheduler, tokenizer, adapters=[name])]
        assert len({tuple(written) for written in texts.values()}) == 3
        network.together.clear()
        mixed = [c.text for c in run(scheduler, tokenizer, adapters=["one", "other", None])]
    finally:
        scheduler.close()
    assert mixed == [
        texts[name][at] for at, name in zip(range(len(PROMPTS)), cycle(["one", "other", None]), strict=False)
    ]
    assert max(network.together) == 4
    assert len(network.together) == 48, "no request waited for another adapter"


def test_requests_of_another_adapter_are_overtaken_only_a_few_times(
    network: Watched, scheduler: Scheduler, tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str | None] = []
    network.mixes = False
    monkeypatch.setattr(network, "select", order.append)
    monkeypatch.setattr(network, "_select_for", lambda _: None)
    monkeypatch.setattr(module, "OVERTAKEN", 3)
    calls: list[WritingCall] = []

    def submit(adapter: str, most: int) -> None:
        calls.append(WritingCall())
        assert scheduler.submit(
            [AnswerRow(calls[-1], 0, PROMPTS[0], adapter, most, 0.0, seed=1, pieces=TokenText(tokenizer))]
        )

    network.gate.clear()
    submit("one", 40)
    while not network.together:
        time.sleep(0.01)
    submit("other", 4)
    for _ in range(6):
        submit("one", 4)
    network.gate.set()
    texts = [call.wait(1, None)[0].text for call in calls]
    assert order == ["one"] * 4 + ["other"] + ["one"] * 3
    assert len(set(texts[2:])) == 1


def test_closed_it_takes_nothing_more(network: Watched, tokenizer: Any) -> None:
    scheduler = Scheduler(network, ends=frozenset())
    scheduler.close()
    assert not scheduler.submit(
        [AnswerRow(WritingCall(), 0, [6], None, 4, 0.0, seed=0, pieces=TokenText(tokenizer))]
    )


def asked(name: str, *, tokens: int = 20, **rest: Any) -> CompletionRequest:
    return CompletionRequest((Message(MessageRole.USER, f"Who is {name}?"),), tokens, temperature=0.8, **rest)


NAMES = ["Bess", "Tom", "Captain Crane", "Mr. Nuttall", "Lydia", "she"]


def test_models_of_the_same_setup_share_their_weights_and_their_steps(
    tiny_llama: Path, tiny_adapter: Path
) -> None:
    setup = LlamaSetup(base=str(tiny_llama), adapters={"analysis": tiny_adapter}, batch=4)
    models = [LlamaModel(setup) for _ in NAMES]
    assert len({id(model._scheduler()) for model in models}) == 1
    alone = [models[0].complete([asked(name)])[0].text for name in NAMES]
    with ThreadPoolExecutor(len(NAMES)) as threads:
        jobs = [threads.submit(m.complete, [asked(n)]) for m, n in zip(models, NAMES, strict=True)]
        assert [job.result()[0].text for job in jobs] == alone


@pytest.mark.soak
def test_another_setup_takes_the_place_of_the_one_before(tiny_llama: Path) -> None:
    one = LlamaModel(LlamaSetup(base=str(tiny_llama), batch=2))
    other = LlamaModel(LlamaSetup(base=str(tiny_llama), batch=3))
    told = [one.complete([asked("Bess")])[0].text for _ in range(2)]
    with ThreadPoolExecutor(4) as threads:
        jobs = [threads.submit(model.complete, [asked("Bess")]) for model in (one, other) * 4]
        texts = {job.result()[0].text for job in jobs[::2]}
    assert texts == set(told)
    assert one._scheduler() is not other._scheduler()


class Impatient:
    def __init__(self) -> None:
        self.left = threading.Event()

    def hear(self, request: int, piece: str) -> None:
        pass

    def done(self, request: int, completion: Completion) -> None: ...

    def gone(self) -> bool:
        return self.left.is_set()


def test_whoever_leaves_does_not_take_the_others_along(
    network: Watched, scheduler: Scheduler, tokenizer: Any
) -> None:
    def submit(prompt: Sequence[int], most: int) -> WritingCall:
        call = WritingCall()
        scheduler.submit([AnswerRow(call, 0, prompt, None, most, 0.0, seed=0, pieces=TokenText(tokenizer))])
        return call

    told = submit(PROMPTS[2], 30).wait(1, None)[0].text
    network.together.clear()
    network.gate.clear()
    ears = Impatient()
    with ThreadPoolExecutor(2) as threads:
        leaving, staying = submit(PROMPTS[0], 400), submit(PROMPTS[2], 30)
        others = [submit(prompt, 400) for prompt in PROMPTS]  # more than there are slots
        jobs = [threads.submit(call.wait, 1, ears) for call in (leaving, *others)]
        ears.left.set()
        for job in jobs:
            # at once, though the network is in the middle of a step
            with pytest.raises(WritingCancelled):
                job.result(timeout=20)
        network.gate.set()
        assert staying.wait(1, None)[0].text == told
    # The step in progress may have had others in it; after it only those who stayed are left.
    assert network.together[1:] in ([1] * 28, [1] * 29)
