"""A small folder in the form of the released one, with summaries made up for it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

MILL = "Ada inherits a mill. Dr. Voss objects to the sale. Ada sells it. She leaves."
PORT = "Ben sails to the port. The port is closed."
EXAMPLE = "A ferryman rows. He stops."
SYSTEM = "gpt4-4096-inc"


def packed(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(value).encode()))


def entry(*kinds: str) -> dict[str, Any]:
    return {"questions": "Who is it?", "types": list(kinds)}


def mark(agreement: str, *reasons: str, source: str = "human") -> dict[str, Any]:
    return {"source": source, "anno": {}, "agreement": agreement, "reasons": list(reasons) or None}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    folder = tmp_path / "release"
    texts = {"mill.epub": MILL, "port.epub": PORT, "clear.epub": "All is told.", "the-ferryman.epub": EXAMPLE}
    packed(folder / f"summaries/{SYSTEM}.json.gz", texts)
    packed(folder / "summaries/other.json.gz", {"mill.epub": MILL})
    packed(folder / "summaries/unannotated.json.gz", {"mill.epub": MILL})
    packed(
        folder / f"annotations/{SYSTEM}.json.gz",
        {
            "mill.epub": {"Dr. Voss objects to the sale.": entry("entity omission", "causal omission")},
            "port.epub": None,
        },
    )
    listed = [{"span": "Ada sells it.", **entry("Salience")}, {"span": "She leaves.", **entry("language")}]
    packed(folder / "annotations/other.json.gz", {"mill.epub": listed})
    human = {
        "mill.epub": {
            "summary": MILL,
            "singles": [{"id": "a", "span": "the sale", "questions": "Why?", "labels": ["causal omission"]}],
            "relations": [
                {
                    "span_a": "Ada inherits",
                    "span_b": "She leaves.",
                    "shared_questions": "Both?",
                    "shared_labels": ["inconsistency"],
                }
            ],
        }
    }
    packed(folder / f"human/summary-{SYSTEM}.json.gz", human)
    marks = [
        mark("Agree"),
        mark("Partially agree", "B. Answered in the summary"),
        mark("Don't agree"),
        mark("Agree", source="model"),
    ]
    packed(
        folder / f"human/annotations-{SYSTEM}.json.gz", {"mill.epub": {"summary": MILL, "annotations": marks}}
    )
    return folder
