"""Every token of the answers is learnt, and none of the prompts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from generation.training.batches import IGNORED, batch_of, lost, packed, packs
from generation.training.types import TrainingExample

PAD = 5
SHORT = TrainingExample((11, 12, 13), (21, 4))
LONG = TrainingExample((31, 32, 33, 34, 35), (41, 42, 43, 4))


@pytest.fixture(scope="module")
def llama(tiny_llama: Path) -> Any:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(tiny_llama, dtype=torch.float32).eval()


def test_prompts_with_their_answers_end_together() -> None:
    batch = batch_of([SHORT, LONG], pad=PAD)
    assert batch.inputs.tolist() == [
        [PAD, PAD, PAD, PAD, 11, 12, 13, 21, 4],
        [31, 32, 33, 34, 35, 41, 42, 43, 4],
    ]
    assert batch.mask is not None
    assert batch.mask.tolist() == [[0, 0, 0, 0, 1, 1, 1, 1, 1], [1] * 9]
    assert batch.labels.tolist() == [[IGNORED, IGNORED, 21, 4], [41, 42, 43, 4]]
    assert batch_of([LONG], pad=PAD).mask is None


def whole(model: Any, example: TrainingExample, labels: Sequence[int]) -> float:
    """Return the loss that transformers itself computes from labels for a whole prompt and its answer."""
    ids = torch.tensor([example.prompt + example.answer])
    return float(model(input_ids=ids, labels=torch.tensor([labels])).loss)


def test_the_loss_is_that_of_the_answer_alone(llama: Any) -> None:
    ours = float(lost(llama, batch_of([LONG], pad=PAD))) / len(LONG.answer)
    hidden = [IGNORED] * len(LONG.prompt)
    assert ours == pytest.approx(whole(llama, LONG, [*hidden, *LONG.answer]), rel=1e-5)
    told = whole(llama, LONG, [*hidden[1:], LONG.prompt[-1], *LONG.answer])
    assert abs(ours - told) > 0.01, "were one label of the prompt learnt, it would show"


def test_nothing_is_learnt_from_what_the_prompt_says_next(llama: Any) -> None:
    """The logits of the prompt's own tokens get no gradient: only those before a token of the answer do."""
    head = llama.get_output_embeddings()
    seen: list[torch.Tensor] = []
    hook = head.register_forward_hook(lambda _, __, made: (made.retain_grad(), seen.append(made))[1])
    lost(llama, batch_of([SHORT, LONG], pad=PAD)).backward()
    hook.remove()
    [logits] = seen
    assert logits.shape[1] == 5, "logits of prompts are not even made"
    learnt = logits.grad.abs().sum(-1) > 0  # type: ignore[union-attr]
    assert learnt.tolist() == [[False, False, True, True, False], [True, True, True, True, False]]
    llama.zero_grad()


def test_a_batch_loses_what_its_examples_lose(llama: Any) -> None:
    alone = sum(float(lost(llama, batch_of([e], pad=PAD))) for e in (SHORT, LONG))
    together = float(lost(llama, batch_of([SHORT, LONG], pad=PAD)))
    assert together == pytest.approx(alone, rel=1e-4)


def test_samples_end_to_end() -> None:
    batch = packed([SHORT, LONG], apart=True)
    assert batch.inputs.tolist() == [[11, 12, 13, 21, 4, 31, 32, 33, 34, 35, 41, 42, 43, 4]]
    assert batch.labels.tolist() == [[21, 4, 41, 42, 43, 4]]
    assert batch.before is not None
    assert batch.inputs[0, batch.before + 1].tolist() == batch.labels[0].tolist()
    assert batch.positions is not None
    assert batch.positions.tolist() == [[0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8]]
    assert batch.mask is not None
    assert batch.mask.shape == (1, 1, 14, 14)
    assert batch.mask[0, 0, 5].nonzero().flatten().tolist() == [5]
    assert batch.mask[0, 0, 4].nonzero().flatten().tolist() == [0, 1, 2, 3, 4]
    joined = packed([SHORT, LONG], apart=False)
    assert joined.mask is None
    assert joined.positions is not None
    assert joined.positions[0, -1] == 13


def test_samples_apart_lose_what_they_lose_alone_and_samples_together_do_not(llama: Any) -> None:
    alone = sum(float(lost(llama, batch_of([e], pad=PAD))) for e in (SHORT, LONG))
    assert float(lost(llama, packed([SHORT, LONG], apart=True))) == pytest.approx(alone, rel=1e-4)
    together = float(lost(llama, packed([SHORT, LONG], apart=False)))
    assert together != pytest.approx(alone, rel=1e-4), "the second sees the first"
    assert float(lost(llama, packed([LONG], apart=False))) == pytest.approx(
        float(lost(llama, batch_of([LONG], pad=PAD))), rel=1e-4
    )


def test_rows_hold_what_fits() -> None:
    rows = list(packs([SHORT, SHORT, LONG, SHORT], most=10))
    assert rows == [[SHORT, SHORT], [LONG], [SHORT]]
    assert list(packs([LONG], most=3)) == [[LONG]]
    assert list(packs([], most=3)) == []
