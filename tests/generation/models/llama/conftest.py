from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer

from generation.models.llama import loaded_model
from tests.generation.models import tiny

KNOWN = {
    "Who is Bess?": "Bess is the senior clerk.",
    "Who is Tom?": "Tom is her brother — “a fool”, she says.",
    "Who is Crane?": "Captain Crane lost the ship on the sand, and Bess saved him from the water.",
}


@pytest.fixture(scope="session")
def taught(tiny_llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter that has memorised the answers of `KNOWN`, and ends after them."""
    return tiny.teach(tiny_llama, tmp_path_factory.mktemp("llama") / "taught", KNOWN)


@pytest.fixture(scope="session")
def tokenizer(tiny_llama: Path) -> Any:
    return AutoTokenizer.from_pretrained(tiny_llama)


@pytest.fixture(scope="module", autouse=True)
def _unload() -> Iterator[None]:
    yield
    loaded_model.unload()
