"""The judge that uses a local model of natural language inference: does a passage entail the claim?

Any folder with a sequence-classification checkpoint works. Its config names the labels. The passage with the
highest score decides about a claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from books.digests import file_sha256
from coref.native.pretrained import load_pretrained
from generation.checking.protocols import Judged
from generation.checking.setup import NliSetup
from generation.checking.types import Case, Evidence
from generation.errors import JudgeUnavailable
from generation.types import Citation, Label, Verdict

if TYPE_CHECKING:
    from torch import Tensor

NAME = "nli/1"
TOKENS = 512
"""Maximum number of tokens of a passage and a claim together."""
_OVERLAP = 64
"""Tokens that two windows of a long passage share."""
_LONGEST_CLAIM = 128
"""Maximum number of tokens of a claim that are read."""
_ENTAILS, _CONTRADICTS = re.compile(r"^entail", re.IGNORECASE), re.compile(r"^contradict", re.IGNORECASE)
_NOT = re.compile(r"^(?:not|no|non)[\W_]?entail", re.IGNORECASE)
_REMEDY = (
    "Set `BOOKWORM_NLI_MODEL` to the folder of a sequence-classification model trained on natural language "
    "inference, with safetensors weights and its tokenizer."
)


class NliJudge:
    def __init__(self, setup: NliSetup) -> None:
        if setup.folder is None:
            raise JudgeUnavailable("No model is set up for the judge `nli`.", remedy=_REMEDY)
        self._setup = setup
        self._labels = labels_of(setup.folder)
        self._weights = _weights(setup.folder)
        self._kept: _Loaded | None = None
        self._lock = Lock()

    @cached_property
    def name(self) -> str:
        hashed = file_sha256(self._weights)[:16]
        thresholds = f"{self._setup.threshold:g}/{self._setup.contradiction:g}"
        return f"{NAME}+{self._weights.parent.name}/{hashed}/{thresholds}"

    def judge(self, cases: Sequence[Case]) -> Judged:
        shown = [case.evidence for case in cases]
        pairs = [
            (at, number)
            for at, case in enumerate(cases)
            if case.claim.text.strip()
            for number in range(len(shown[at]))
        ]
        windows = [(shown[at][number].text, cases[at].claim.text) for at, number in pairs]
        scores: list[list[tuple[float, float]]] = [[] for _ in cases]
        for (at, _), score in zip(pairs, self._score(windows), strict=True):
            scores[at].append(score)
        return Judged([self._verdict(found, by) for found, by in zip(scores, shown, strict=True)])

    def _verdict(self, scores: Sequence[tuple[float, float]], evidence: Sequence[Evidence]) -> Verdict:
        """Return the verdict by the scores of each piece of evidence, if any."""
        if not scores:
            return Verdict(Label.UNSUPPORTED, 1.0, (), self.name)
        by, against = (max(range(len(scores)), key=lambda n: scores[n][side]) for side in (0, 1))
        entailed, contradicted = scores[by][0], scores[against][1]
        if contradicted >= self._setup.contradiction and contradicted > entailed:
            return self._told(Label.CONTRADICTED, contradicted, evidence[against])
        if entailed >= self._setup.threshold:
            return self._told(Label.SUPPORTED, entailed, evidence[by])
        return Verdict(Label.UNSUPPORTED, round(1 - entailed, 3), (), self.name)

    def _told(self, label: Label, score: float, by: Evidence) -> Verdict:
        return Verdict(label, round(score, 3), (Citation(by.span, by.chapter),), self.name)

    def _score(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[float, float]]:
        """Yield how probably each passage entails and contradicts its claim, by the best of its windows."""
        best = [(0.0, 0.0)] * len(pairs)
        rows = self._windows(pairs) if pairs else []
        rows.sort(key=lambda row: len(row[1]["input_ids"]))
        for start in range(0, len(rows), self._setup.batch):
            some = rows[start : start + self._setup.batch]
            scores = self._infer([row for _, row in some])
            for (i, _), (entailed, contradicted) in zip(some, scores, strict=True):
                best[i] = max(best[i][0], entailed), max(best[i][1], contradicted)
        yield from best

    def _windows(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[int, dict[str, list[int]]]]:
        """Return the windows with the index of their pair. A long passage has several."""
        loaded = self._loaded
        told = loaded.tokenizer(
            [passage for passage, _ in pairs],
            [loaded.cut(claim) for _, claim in pairs],
            truncation="only_first",
            max_length=loaded.tokens,
            stride=min(_OVERLAP, loaded.tokens // 8),
            return_overflowing_tokens=True,
        )
        owners = told.pop("overflow_to_sample_mapping")
        return [(i, {name: column[row] for name, column in told.items()}) for row, i in enumerate(owners)]

    def _infer(self, rows: Sequence[dict[str, list[int]]]) -> list[tuple[float, float]]:
        import torch

        loaded = self._loaded
        batch = loaded.tokenizer.pad(rows, return_tensors="pt").to(loaded.model.device)
        with torch.inference_mode():
            logits: Tensor = loaded.model(**batch).logits.float()
        against = self._labels.get("contradiction")
        return [
            (row[self._labels["entailment"]], 0.0 if against is None else row[against])
            for row in torch.softmax(logits, 1).tolist()
        ]

    @property
    def _loaded(self) -> _Loaded:
        with self._lock:
            if self._kept is None:
                self._kept = _load(self._weights.parent)
            return self._kept


@dataclass(frozen=True, slots=True)
class _Loaded:
    model: Any
    tokenizer: Any
    tokens: int

    def cut(self, claim: str) -> str:
        """Cut a claim to the maximum number of tokens, to leave room for the passage."""
        most = min(_LONGEST_CLAIM, self.tokens // 2)
        told = self.tokenizer(claim, add_special_tokens=False, return_offsets_mapping=True)
        places = told["offset_mapping"]
        return claim if len(places) <= most else claim[: places[most - 1][1]]


def labels_of(folder: Path) -> Mapping[str, int]:
    """Return the indexes of the labels `entailment` and, if there is one, `contradiction`."""
    import json

    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        named = {int(at): str(label) for at, label in dict(config["id2label"]).items()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise JudgeUnavailable(
            f"`{folder}` has no config that names the labels of a model.", remedy=_REMEDY
        ) from error
    found = {
        "entailment": [at for at, label in named.items() if _ENTAILS.match(label) and not _NOT.match(label)],
        "contradiction": [at for at, label in named.items() if _CONTRADICTS.match(label)],
    }
    if len(found["entailment"]) != 1:
        known = ", ".join(named[at] for at in sorted(named))
        raise JudgeUnavailable(
            f"`{folder.name}` judges no inference: none of its labels ({known}) is “entailment”.",
            remedy=_REMEDY,
        )
    return {label: at[0] for label, at in found.items() if at}


def _weights(folder: Path) -> Path:
    found = sorted(folder.glob("*.safetensors"))
    if not found:
        raise JudgeUnavailable(f"`{folder}` holds no weights as safetensors.", remedy=_REMEDY)
    return found[0]


def _load(folder: Path) -> _Loaded:
    model, tokenizer = load_pretrained(
        "AutoModelForSequenceClassification", folder, refusal=partial(JudgeUnavailable, remedy=_REMEDY)
    )
    most = int(getattr(model.config, "max_position_embeddings", TOKENS) or TOKENS)
    return _Loaded(model, tokenizer, min(TOKENS, most, tokenizer.model_max_length))
