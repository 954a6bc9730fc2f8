"""The learned weights of each feature for a candidate."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from coref.speech.speaker_evidence import Evidence

FORMAT = 1
PLACE = files("coref").joinpath("data/speakers.json")
AGAIN, BACK, ANSWER = "again", "back", "answer"


class WeightsUnknown(ValueError):
    """The weights are in another format than this version reads."""


@dataclass(frozen=True, slots=True)
class SpeakerModel:
    weights: Mapping[str, float]

    def score(self, evidence: Evidence) -> float:
        get = self.weights.get
        return sum(get(name, 0.0) * value for name, value in evidence)

    def respects(self, link: str, names: Iterable[str]) -> float:
        return sum(self.weights.get(f"{link}|{name}", 0.0) for name in names)


def write(model: SpeakerModel, trained: Mapping[str, object]) -> str:
    """Return the model as JSON. `trained` describes its training data and results for human readers."""
    weights = dict(sorted(model.weights.items()))
    return json.dumps({"format": FORMAT, "trained": trained, "weights": weights}, indent=1) + "\n"


@cache
def shipped() -> SpeakerModel:
    """Return the weights that come with the package."""
    return read(PLACE.read_text(encoding="utf-8"))


def read(text: str) -> SpeakerModel:
    held = json.loads(text)
    if held.get("format") != FORMAT:
        raise WeightsUnknown(
            f"The speaker weights have format {held.get('format')!r}, but this version reads {FORMAT}."
        )
    return SpeakerModel({name: float(weight) for name, weight in held["weights"].items()})
