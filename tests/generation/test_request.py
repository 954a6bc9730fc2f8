"""The key of a request: kept answers are found under it, so it is the same from version to version."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generation.types import AnswerLimits, Provenance, Request, Strategy, Task

OFFLINE = Provenance(
    text_sha256="5e" * 32,
    resolver="native/7",
    retriever="telling",
    generator="offline/9",
    judge="offline/3",
    decisions=2,
    upto=1200,
    seed=7,
    extractor="offline/2",
)
MODEL = replace(
    OFFLINE, generator="openai/1+m", prompts="ab12", strategy=Strategy.SUMMARY, retriever="none", upto=None
)
PLAIN = Request(
    task=Task.DESCRIPTION,
    characters=("c1",),
    limits=AnswerLimits(words=90, seed=7, temperature=0.4, tokens=500),
    provenance=OFFLINE,
    passages=80,
    token_budget=6000,
    embedder="minilm",
    bm25="lucene",
)
SUMMARISED = replace(
    PLAIN,
    task=Task.JOINT,
    characters=("c1", "c2"),
    limits=replace(PLAIN.limits, words=45),
    provenance=MODEL,
    passages=40,
    cast_list=True,
    summary="Ann left Bo.",
)


@pytest.mark.parametrize(
    ("request_", "key"),
    [
        (PLAIN, "97128c30a6919a59f440a9e9adf45bbc8b27d2f04326a416869e5768361c59e5"),
        (SUMMARISED, "0b80e20b3dea1435ac8029c3b93d4c9c048a66418d9f46dbbffe2307875e8bd3"),
    ],
)
def test_answers_kept_by_earlier_versions_are_found(request_: Request, key: str) -> None:
    assert request_.key == key


@pytest.mark.parametrize(
    "other",
    [
        {"task": Task.ANALYSIS},
        {"characters": ("c2",)},
        {"passages": 81},
        {"token_budget": 5999},
        {"embedder": "hashing"},
        {"bm25": "okapi"},
        {"cast_list": False},
        {"summary": "Ann left."},
        {"chapter": 0},
        {"limits": replace(SUMMARISED.limits, chunk=2048)},
        {"limits": replace(SUMMARISED.limits, words=46)},
        {"limits": replace(SUMMARISED.limits, temperature=0.5)},
        {"limits": replace(SUMMARISED.limits, tokens=None)},
        {"provenance": replace(MODEL, judge="nli/1")},
        {"provenance": replace(MODEL, upto=7)},
        {"provenance": replace(MODEL, decisions=3)},
    ],
)
def test_whatever_could_change_the_answer_changes_the_key(other: dict[str, object]) -> None:
    assert replace(SUMMARISED, **other).key != SUMMARISED.key  # type: ignore[arg-type]


def test_what_only_a_model_heeds_does_not_part_the_answers_of_a_writer_without_one() -> None:
    warm = replace(PLAIN, limits=replace(PLAIN.limits, temperature=1.0, tokens=9))
    assert warm.key == PLAIN.key
