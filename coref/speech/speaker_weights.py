"""The learned weights of each feature for a candidate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from coref.speech.speaker_evidence import Evidence
from coref.weights_file import as_json, weights_in

FORMAT = 1
PLACE = files("coref").joinpath("data/speakers.json")
AGAIN, BACK, ANSWER = "again", "back", "answer"


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
    return as_json(weights, version=FORMAT, trained=trained)


@cache
def shipped() -> SpeakerModel:
    """Return the weights that come with the package."""
    return read(PLACE.read_text(encoding="utf-8"))


def read(text: str) -> SpeakerModel:
    weights = weights_in(text, version=FORMAT, of="speaker")
    return SpeakerModel({name: float(weight) for name, weight in weights.items()})
