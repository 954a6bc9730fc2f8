"""Draws follow the probabilities."""

from __future__ import annotations

import pytest
import torch

from generation.models.llama.sampling import SamplingLimits, choose

LOGITS = torch.tensor([[0.0, 2.0, 1.0, -1.0, 1.0]])


def test_a_temperature_of_nothing_takes_the_likeliest() -> None:
    assert choose(LOGITS.repeat(2, 1), temperatures=[0, 0], draws=[0.0, 0.999]) == [1, 1]


@pytest.mark.parametrize("temperature", [0.4, 1.0, 2.5])
def test_each_token_has_its_share(temperature: float) -> None:
    count = 20_000
    draws = [(at + 0.5) / count for at in range(count)]
    chosen = choose(LOGITS.expand(count, -1), temperatures=[temperature] * count, draws=draws)
    shares = torch.bincount(torch.tensor(chosen), minlength=5) / count
    assert torch.allclose(shares, (LOGITS[0] / temperature).softmax(-1), atol=1e-3)


def test_what_can_not_be_is_never_drawn() -> None:
    never = torch.tensor([[-torch.inf, 0.0, -torch.inf, 0.0, -torch.inf]])
    drawn = choose(never.repeat(3, 1), temperatures=[1.0] * 3, draws=[0.0, 0.5, 1 - 2**-53])
    assert drawn == [1, 3, 3]


def test_rows_have_temperatures_of_their_own() -> None:
    rows = LOGITS.repeat(3, 1)
    assert choose(rows, temperatures=[0.0, 1.0, 0.01], draws=[0.01, 0.01, 0.01]) == [1, 0, 1]


def test_cold_is_safe() -> None:
    assert choose(LOGITS * 100, temperatures=[1e-6], draws=[0.3]) == [1]


@pytest.mark.parametrize("limits", [(0.9, 0), (0.5, 0), (1.0, 3), (0.8, 2), (0.01, 0)])
def test_limits_are_those_of_transformers(limits: tuple[float, int]) -> None:
    from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

    top_p, top_k = limits
    logits = torch.randn(6, 40, generator=torch.Generator().manual_seed(1)) * 2
    theirs = TemperatureLogitsWarper(0.7)(None, logits)
    theirs = TopKLogitsWarper(top_k)(None, theirs) if top_k else theirs
    theirs = TopPLogitsWarper(top_p)(None, theirs) if top_p < 1 else theirs
    count = 4_000
    draws = [(at + 0.5) / count for at in range(count)]
    for row, expected in zip(logits, theirs.softmax(-1), strict=True):
        drawn = choose(
            row.expand(count, -1),
            temperatures=[0.7] * count,
            draws=draws,
            limits=SamplingLimits(top_p, top_k),
        )
        shares = torch.bincount(torch.tensor(drawn), minlength=40) / count
        assert set(drawn) <= set(expected.nonzero().flatten().tolist())
        assert torch.allclose(shares, expected.float(), atol=2e-3)


def test_limits_leave_the_likeliest_and_other_rows_alone() -> None:
    narrow = SamplingLimits(top_p=1e-9, top_k=1)
    rows = LOGITS.repeat(3, 1)
    assert choose(rows, temperatures=[1.0] * 3, draws=[0.0, 0.5, 0.999], limits=narrow) == [1, 1, 1]
    wide = SamplingLimits(top_p=0.9)
    alone = choose(LOGITS, temperatures=[1.0], draws=[0.7], limits=wide)
    assert choose(rows, temperatures=[0.3, 1.0, 9.0], draws=[0.1, 0.7, 0.9], limits=wide)[1:2] == alone
