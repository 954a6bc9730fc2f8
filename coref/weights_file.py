"""Learned weights as a JSON file: a format, what they were trained on for human readers, and the numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


class WeightsUnknown(ValueError):
    """The weights are in another format than this version reads."""


def as_json(weights: Mapping[str, object], *, version: int, trained: Mapping[str, object]) -> str:
    return json.dumps({"format": version, "trained": trained, "weights": weights}, indent=1) + "\n"


def weights_in(text: str, *, version: int, of: str) -> Mapping[str, Any]:
    """Return the numbers. `of` says what they decide, for the message."""
    held = json.loads(text)
    if held.get("format") != version:
        raise WeightsUnknown(
            f"The {of} weights have format {held.get('format')!r}, but this version reads {version}."
        )
    weights: Mapping[str, Any] = held["weights"]
    return weights
