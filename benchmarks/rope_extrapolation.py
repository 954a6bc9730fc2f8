"""Train a tiny Llama on short stretches of a book, and read four times as long ones with each scaling.

    python -m benchmarks.rope_extrapolation BOOK.txt [--length 128] [--steps 600]

The model knows characters only and is trained in minutes on two cores, so its figures say how the scalings
differ on positions that it has not seen, and nothing of large models. Half of the table is measured after a
few more steps on long stretches with that scaling, as the methods are meant to be used.
"""

from __future__ import annotations

import argparse
import random
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from evaluation.positions.perplexity import curve
from generation.models.llama.rope import RopeScaling, scaled

SCALINGS = (None, "pi:4", "ntk:4", "yarn:4", "abf:500000")
_TIMES = (1, 2, 4, 8)
_BATCH_TOKENS = 4096


def tokens_of(path: Path) -> tuple[list[int], int]:
    text = path.read_text("utf-8", errors="replace")
    known = {sign: n for n, sign in enumerate(sorted(set(text)))}
    return [known[sign] for sign in text], len(known)


def config_of(size: int, length: int) -> LlamaConfig:
    return LlamaConfig(
        vocab_size=size,
        hidden_size=128,
        intermediate_size=384,
        num_hidden_layers=4,
        num_attention_heads=4,
        max_position_embeddings=length,
        tie_word_embeddings=True,
    )


def train(model: Any, tokens: list[int], *, length: int, steps: int, rate: float, seed: int = 0) -> None:
    chance = random.Random(seed)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate)
    rows = max(1, _BATCH_TOKENS // length)
    model.train()
    for step in range(steps):
        starts = [chance.randrange(len(tokens) - length) for _ in range(rows)]
        batch = torch.tensor([tokens[s : s + length] for s in starts])
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 50, (steps - step) / max(1, steps // 5))
        loss = model(input_ids=batch, labels=batch).loss
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    model.eval()


def with_positions(model: Any, scaling: str | None) -> Any:
    """Return a copy of the model with scaled positions."""
    other = LlamaForCausalLM(scaled(deepcopy(model.config), RopeScaling.parse(scaling)))
    other.load_state_dict(model.state_dict())
    return other.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("book", type=Path)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--more", type=int, default=60, help="steps on stretches four times as long")
    options = parser.parse_args()
    torch.manual_seed(0)
    tokens, size = tokens_of(options.book)
    kept = tokens[: int(0.9 * len(tokens))]
    unseen = tokens[len(kept) :]
    start = time.perf_counter()
    base = LlamaForCausalLM(config_of(size, options.length))
    train(base, kept, length=options.length, steps=options.steps, rate=2e-3)
    print(f"{sum(p.numel() for p in base.parameters()):,} weights, {time.perf_counter() - start:.0f} s")
    print(
        "scaling | more steps | "
        + " | ".join(f"{n * options.length} tokens" for n in _TIMES)
        + " | last eighth of it"
    )
    for scaling in SCALINGS:
        for more in (0, options.more):
            model = with_positions(base, scaling)
            if more:
                train(model, kept, length=4 * options.length, steps=more, rate=5e-4, seed=1)
            curves = [curve(model, unseen, n * options.length, most=12) for n in _TIMES]
            told = " | ".join(f"{each.whole:.2f}" if each else "–" for each in curves)
            last = curves[-1].bins[-1] if curves[-1] else float("nan")
            print(f"{scaling or 'none'} | {more} | {told} | {last:.2f}", flush=True)


if __name__ == "__main__":
    main()
