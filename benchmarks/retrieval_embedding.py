"""Embedding a novel: ours and sentence-transformers' default `encode`, same model, process and device."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from coref.native.precision import fastest, likeliest_device
from retrieval.embedders.minilm import package_folder
from retrieval.registry import make_embedder


@dataclass(frozen=True, slots=True)
class Embedding:
    texts: int
    device: str
    precision: str
    """Ours; sentence-transformers computes in 32 bits by default."""
    ours: float
    """Seconds, the median over the rounds, after a warm-up of both."""
    sentence_transformers: float
    faster: float
    ours_processor: float
    """Seconds of processor time, on which other processes have little effect."""
    sentence_transformers_processor: float
    error: float
    """1 - cosine between the two vectors of a text: the largest …"""
    mean_error: float


def measure(texts: Sequence[str], *, rounds: int = 1) -> Embedding:
    """Measure one after the other in each round, so that other load on the machine affects both."""
    from sentence_transformers import SentenceTransformer

    device = likeliest_device()
    ours = make_embedder("minilm")
    model: Any = SentenceTransformer(str(package_folder()), device=device, local_files_only=True)
    ours.embed(texts[:1])
    model.encode(texts[:1], show_progress_bar=False)
    mine, theirs = [], []
    for _ in range(rounds):
        mine.append(_run(lambda: ours.embed(texts)))
        theirs.append(_run(lambda: model.encode(list(texts), show_progress_bar=False)))
    error = 1 - np.sum(mine[0].rows * _unit(theirs[0].rows), axis=1)
    fast, slow = (statistics.median(run.seconds for run in runs) for runs in (mine, theirs))
    return Embedding(
        texts=len(texts),
        device=device,
        precision=str(fastest(device)).removeprefix("torch."),
        ours=round(fast, 3),
        sentence_transformers=round(slow, 3),
        faster=round(slow / fast, 2),
        ours_processor=round(statistics.median(run.processor for run in mine), 3),
        sentence_transformers_processor=round(statistics.median(run.processor for run in theirs), 3),
        error=round(float(error.max()), 6),
        mean_error=round(float(error.mean()), 6),
    )


@dataclass(frozen=True, slots=True)
class _Run:
    seconds: float
    processor: float
    rows: Any


def _run(work: Callable[[], Any]) -> _Run:
    started, before = time.perf_counter(), time.process_time()
    rows = work()
    return _Run(time.perf_counter() - started, time.process_time() - before, rows)


def _unit(rows: Any) -> Any:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
