"""`llama`: a Llama-3-Instruct with LoRA adapters by task, in this process."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import Any

import torch

from coref.native.precision import fastest
from generation.errors import GeneratorUnavailable, PromptTooLong, told_in_log
from generation.models.llama import loaded_model, memory
from generation.models.llama.chat import Chat, encode_plain
from generation.models.llama.folders import (
    DEFAULT,
    BaseFolder,
    expect_trained_on,
    find_adapters,
    find_base,
    name_of,
)
from generation.models.llama.loading import device_of, expect_known_attention, load, serving
from generation.models.llama.network import chunk_of
from generation.models.llama.quantisation import settings_for
from generation.models.llama.rope import RopeScaling, scaled
from generation.models.llama.sampling import SamplingLimits
from generation.models.llama.scheduler import AnswerRow, Scheduler
from generation.models.llama.token_text import TokenText
from generation.models.protocols import Listener
from generation.models.types import Completion, CompletionRequest, LlamaSetup, Message, MessageRole
from generation.models.writing_call import WritingCall
from generation.types import Task

ENDS = ("<|eot_id|>", "<|eom_id|>", "<|end_of_text|>")
"""Tokens at which a Llama 3 ends its turn, whatever its folder says."""
READERS = 8
"""Prompts that are tokenized at the same time."""
PROBE = (Message(MessageRole.USER, "Who is she?"),)


class LlamaModel:
    """A local Llama model. Its files are checked when it is created, so that a missing one is known at once.
    The weights are loaded on first use, or with `load`.
    """

    def __init__(self, setup: LlamaSetup) -> None:
        self._base = find_base(setup.base)
        self._adapters = find_adapters(setup.adapters)
        self._device = device_of(setup.device)
        self._batch = setup.batch
        self._bits = setup.bits
        settings_for(self._bits, self._device, torch.float32)  # to report what is missing now
        self._rope = RopeScaling.parse(setup.rope)
        self._config = scaled(_config(self._base), self._rope)
        expect_known_attention(self._config)
        self._tokenizer = _tokenizer(self._base)
        self._asked, self._enough = setup.context, setup.enough
        self._serving = serving(self._adapters)
        self._chats = {task: self._chat(task) for task in Task}
        recommended = _recommended(self._base)
        self._ends = frozenset(_ends(recommended, self._config, self._tokenizer))
        self._limits = SamplingLimits(recommended.top_p or 1.0, recommended.top_k or 0)

    @cached_property
    def name(self) -> str:
        return self._named()

    def _named(self) -> str:
        bits = "" if self._bits == 16 else f"@{self._bits}bits"
        rope = "" if self._rope is None else f"@{self._rope}"
        return f"{name_of(self._base, self._adapters)}{bits}{rope}"

    @property
    def context(self) -> int:
        return self._capacity.context

    @cached_property
    def _capacity(self) -> memory.Capacity:
        """What fits. It is reckoned once for a model, because later the model itself takes the memory."""
        return loaded_model.reckoned(self._key, self._fitted)

    @property
    def _key(self) -> loaded_model.ModelKey:
        return loaded_model.ModelKey(self.name, self._device, self._batch, self._asked, self._enough)

    def _fitted(self) -> memory.Capacity:
        files = (*self._base.weights, *(adapter.weights for adapter in self._adapters.values()))
        weights = memory.numbers(files)

        def needed(batch: int, context: int) -> memory.MemoryNeed:
            return memory.need(
                self._config,
                weights,
                context=context,
                chunk=chunk_of(self._device),
                batch=batch,
                size=fastest(torch.device(self._device).type).itemsize,
                bits=self._bits,
            )

        return memory.fit(
            needed,
            batch=self._batch,
            context=min(int(self._config.max_position_embeddings), self._asked or memory.MOST),
            asked=self._asked is not None,
            device=self._device,
            available=memory.free(self._device),
            enough=self._enough,
        )

    def count_tokens(self, text: str) -> int:
        return len(encode_plain(self._tokenizer, text))

    def count_prompt(self, messages: Sequence[Message]) -> int:
        """Count with the longest of the templates, if adapters bring their own."""
        chats = {chat.template: chat for chat in self._chats.values()}
        return max(len(chat.encode(messages)) for chat in chats.values())

    def load(self) -> None:
        """Load the weights and test them."""
        self._scheduler()

    def complete(
        self, requests: Sequence[CompletionRequest], *, listener: Listener | None = None
    ) -> list[Completion]:
        return told_in_log(lambda: self._complete(requests, listener))

    def _complete(self, requests: Sequence[CompletionRequest], listener: Listener | None) -> list[Completion]:
        call = WritingCall()
        # Tokenizing a long prompt takes some hundredths of a second, in which Python itself has nothing to
        # do.
        with ThreadPoolExecutor(max_workers=READERS) as readers:
            rows = list(readers.map(partial(self._row, call), range(len(requests)), requests))
        if rows:
            # If another model replaces the scheduler in between, this one is loaded again.
            while not self._scheduler().submit(rows):
                time.sleep(0.01)
        return call.wait(len(rows), listener)

    def _row(self, call: WritingCall, at: int, request: CompletionRequest) -> AnswerRow:
        prompt = self._chats[request.task].encode(request.messages)
        left = self.context - len(prompt)
        if left < 1:
            raise PromptTooLong(
                f"The prompt has {len(prompt):,} tokens, which leaves no room for an answer: "
                f"the context is {self.context:,}."
            )
        return AnswerRow(
            call,
            at,
            prompt,
            adapter=self._serving.get(request.task, self._serving.get(DEFAULT)),
            most=max(1, min(request.max_tokens, left)),
            temperature=request.temperature,
            seed=request.seed,
            pieces=TokenText(self._tokenizer),
        )

    def _chat(self, task: Task) -> Chat:
        """Return the template that the task's adapter was trained with, else the base's."""
        adapter = self._adapters.get(task, self._adapters.get(DEFAULT))
        template = (adapter.template if adapter else None) or self._tokenizer.chat_template
        if not isinstance(template, str):
            raise GeneratorUnavailable(
                f"The tokenizer of “{self._base.folder}” has no chat template for “{task}”.",
                remedy="Use an instruct model, such as Llama-3-Instruct, or put a chat_template.jinja there.",
            )
        return Chat(self._tokenizer, template)

    def _scheduler(self) -> Scheduler:
        capacity = self._capacity  # before the lock is taken, which both need
        return loaded_model.borrow(self._key, lambda: self._start(capacity))

    def _start(self, capacity: memory.Capacity) -> Scheduler:
        if self._named() != self.name:
            raise GeneratorUnavailable(
                f"The files of “{self._base.folder}” or its adapters have changed since they were checked.",
                remedy="Restart, so that answers are kept under the name of the weights that wrote them.",
            )
        expect_trained_on(self._base, self._adapters, rope=None if self._rope is None else str(self._rope))
        network = load(
            self._base,
            self._adapters,
            device=self._device,
            bits=self._bits,
            rows=capacity.batch,
            probe=self._chats[Task.DESCRIPTION].encode(PROBE),
            config=self._config,
        )
        return Scheduler(network, ends=self._ends, limits=self._limits)


def _config(base: BaseFolder) -> Any:
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(base.folder, local_files_only=True)
        int(config.max_position_embeddings)
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise GeneratorUnavailable(
            f"“{base.folder}” is not a known language model: {error}",
            remedy="Give the folder of a Llama-3-Instruct model.",
        ) from error
    return config


def _tokenizer(base: BaseFolder) -> Any:
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(base.folder, local_files_only=True)
        encode_plain(tokenizer, "Once, for that sets it up: later several threads use it at a time.")
    except Exception as error:  # tokenizers raise many kinds of errors
        raise GeneratorUnavailable(
            f"The tokenizer of “{base.folder}” can't be loaded: {error}",
            remedy="Copy tokenizer.json and tokenizer_config.json again.",
        ) from error
    return tokenizer


def _recommended(base: BaseFolder) -> Any:
    """Return the settings with which the base's makers generate. A base without any has none of them."""
    from transformers import GenerationConfig

    if not (base.folder / "generation_config.json").is_file():
        return GenerationConfig()
    return GenerationConfig.from_pretrained(base.folder, local_files_only=True)


def _ends(recommended: Any, config: Any, tokenizer: Any) -> Iterable[int]:
    """Yield the tokens that end an answer, by the model's settings, the tokenizer's, and their names."""
    for ids in (config.eos_token_id, tokenizer.eos_token_id, recommended.eos_token_id):
        yield from ids if isinstance(ids, list) else [ids] if ids is not None else []
    vocabulary = tokenizer.get_vocab()
    yield from (vocabulary[name] for name in ENDS if name in vocabulary)
