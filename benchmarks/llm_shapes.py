"""Models of known shapes with random weights, made on the device and never on disk, behind `LlamaModel`."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from benchmarks import texts
from coref.native.precision import fastest
from generation.models.llama import attention, memory
from generation.models.llama.folders import find_base
from generation.models.llama.loading import base_model
from generation.models.llama.model import LlamaModel
from generation.models.llama.network import LlamaNetwork, chunk_of
from generation.models.llama.scheduler import Scheduler
from generation.models.types import CompletionRequest, LlamaSetup, Message, MessageRole
from generation.types import Task
from tests.generation.models import tiny

ADAPTER = "random"
PROJECTIONS = tiny.PROJECTIONS
RANK = 8


@dataclass(frozen=True, slots=True)
class Shape:
    """The dimensions of a Llama, and the workload for it."""

    name: str
    vocabulary: int
    hidden: int
    inner: int
    layers: int
    heads: int
    shared: int
    """Heads of keys and values."""
    context: int
    prompt: int
    """Tokens."""
    answer: int
    batches: tuple[int, ...]
    training: int
    """Tokens of a training example."""
    lessons: int

    @property
    def config(self) -> Any:
        from transformers import LlamaConfig

        return LlamaConfig(
            vocab_size=self.vocabulary,
            hidden_size=self.hidden,
            intermediate_size=self.inner,
            num_hidden_layers=self.layers,
            num_attention_heads=self.heads,
            num_key_value_heads=self.shared,
            max_position_embeddings=self.context,
            rope_parameters={"rope_type": "default", "rope_theta": 500_000.0},
            bos_token_id=0,
            eos_token_id=1,
        )

    @property
    def weights(self) -> int:
        """Return their number."""
        from transformers import AutoModelForCausalLM

        with torch.device("meta"):
            return sum(p.numel() for p in AutoModelForCausalLM.from_config(self.config).parameters())

    @property
    def multiplied(self) -> int:
        """Return the weights that each token is multiplied by.

        These are all but the embedding table and the output layer, which only the last token needs.
        """
        heads = self.hidden // self.heads
        attention_weights = self.hidden * (2 * self.hidden + 2 * self.shared * heads)
        return self.layers * (attention_weights + 3 * self.hidden * self.inner)

    def work(self, tokens: int) -> float:
        """Return the floating-point operations for this many tokens: by weights and earlier tokens."""
        looks = 2 * self.hidden * tokens * tokens * self.layers
        return 2.0 * self.multiplied * tokens + looks

    def moved(self, rows: int, tokens: int, *, size: int, bits: int = 16) -> float:
        """Return the bytes read for one more token in each of `rows`: all weights, and the cache.

        In fewer `bits` than 16 only the linear layers are smaller.
        """
        remembered = 2 * self.layers * self.shared * (self.hidden // self.heads) * tokens
        layers = self.multiplied * (size if bits == 16 else bits / 8)
        return float(layers + size * (self.vocabulary * self.hidden + rows * remembered))


SHAPES = {
    "8b": Shape("8b", 128_256, 4096, 14_336, 32, 32, 8, 8192, 8000, 110, (1, 8, 32, 128), 8192, 6),
    "tiny": Shape("tiny", 1024, 64, 128, 2, 4, 2, 1024, 700, 12, (1, 2, 4), 256, 2),
}


def bare(shape: Shape, device: str, *, bits: int = 16, kernel: str = attention.NAME) -> Any:
    """Return the base with arbitrary weights, in Bookworm's precision for the device.

    In fewer `bits` than 16 it is written to the disk, and loaded as the service loads its base.
    """
    from transformers import AutoModelForCausalLM

    torch.manual_seed(0)
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(
            shape.config, dtype=fastest(torch.device(device).type), attn_implementation=kernel
        ).eval()
    if bits == 16:
        return model
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        write_tokenizer(Path(folder))
        del model
        return base_model(find_base(folder), device=device, bits=bits, config=shape.config)


def adapted(model: Any) -> Any:
    """Add a LoRA adapter on all projections, large enough to have an effect."""
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(r=RANK, lora_alpha=2 * RANK, target_modules=list(PROJECTIONS))
    both = get_peft_model(model, config, adapter_name=ADAPTER, autocast_adapter_dtype=False)
    with torch.no_grad():
        for name, weight in both.named_parameters():
            if "lora_B" in name:
                weight.normal_(std=0.01)
    return both.eval()


def write_folder(shape: Shape, folder: Path) -> Path:
    """Write a base's folder without its weights: a file that holds one number replaces them."""
    shape.config.save_pretrained(folder)
    write_tokenizer(folder)
    save_file({"nothing": torch.zeros(1)}, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def write_tokenizer(folder: Path) -> None:
    tiny.make_tokenizer().save_pretrained(folder)


class RandomLlama(LlamaModel):
    """The service's model, but with random weights. It never ends a text by itself."""

    def __init__(
        self, shape: Shape, folder: Path, model: Any, *, device: str, batch: int, lora: bool
    ) -> None:
        super().__init__(LlamaSetup(base=str(folder), device=device, batch=batch))
        self._shape = shape
        self._model = model
        self._serving = {"default": ADAPTER} if lora else {}
        self._ends = frozenset()

    def _start(self, capacity: memory.Capacity) -> Scheduler:
        network = LlamaNetwork(self._model, device=self._device, rows=capacity.batch)
        return Scheduler(network, ends=self._ends, limits=self._limits)

    def _fitted(self) -> memory.Capacity:
        """The weights are loaded already, and `slots_for` has counted what fits beside them."""
        return memory.Capacity(self._batch, self._shape.context)

    def request(self, *, tokens: int, seed: int = 0) -> CompletionRequest:
        """Return a prompt of exactly the shape's length, different for every seed."""
        text = texts.load([texts.NOVELLA])
        want = self._shape.prompt - self.count_prompt([Message(MessageRole.USER, f"{seed}")])
        ids = self._tokenizer.encode(texts.repeated(text, want), add_special_tokens=False)[:want]
        while True:
            messages = (Message(MessageRole.USER, f"{seed}{self._tokenizer.decode(ids)}"),)
            over = self.count_prompt(messages) - self._shape.prompt
            if over <= 0:
                return CompletionRequest(messages, tokens, task=Task.DESCRIPTION, seed=seed)
            ids = ids[:-over]


def slots_for(shape: Shape, rows: int, device: str) -> int:
    """Return how many of the rows fit beside the weights, which are loaded already."""
    if device != "cpu":
        torch.cuda.empty_cache()
    size = fastest(torch.device(device).type).itemsize
    wanted = memory.need(
        shape.config, 0, context=shape.context, chunk=chunk_of(device), batch=rows, size=size
    )
    return max(1, min(rows, int((memory.free(device) - wanted.working) / wanted.each * 0.97) - 1))
