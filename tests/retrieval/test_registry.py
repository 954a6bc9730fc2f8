"""Names resolve to engines, unknown ones to advice, and importing the module costs nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from coref.types import Annotations
from retrieval.errors import EmbedderUnavailable, RetrieverUnknown
from retrieval.index import BookIndex
from retrieval.protocols import Embedder
from retrieval.registry import EMBEDDERS, RETRIEVERS, make_embedder, make_retriever
from tests.failing import fails


def test_the_names() -> None:
    assert list(EMBEDDERS) == ["minilm", "hashing"]
    assert list(RETRIEVERS) == ["telling", "mentions", "bm25", "dense", "hybrid", "lead", "random"]


def test_an_unknown_embedder_names_the_known_ones(tmp_path: Path) -> None:
    with fails(EmbedderUnavailable, match="minilm, hashing"):
        make_embedder("nosuch")
    with fails(EmbedderUnavailable, match=r"model\.safetensors"):
        make_embedder(str(tmp_path))


def test_an_unknown_retriever_names_the_known_ones(
    index: BookIndex, annotations: Annotations, embedder: Embedder
) -> None:
    with pytest.raises(RetrieverUnknown, match="telling, mentions, bm25, dense, hybrid, lead, random"):
        make_retriever("nosuch", index=index, annotations=annotations, embedder=embedder)


def test_importing_the_registry_loads_nothing_heavy() -> None:
    code = (
        "import retrieval.registry, retrieval.index, retrieval.manifest, sys\n"
        "heavy = {'torch', 'transformers', 'tokenizers', 'faiss', 'bm25s', 'scipy', 'jieba'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
