"""The registry of embedders and retrievers. Slow imports happen inside the factories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from coref.encoder_bits import ChooseBits, exact
from retrieval.errors import EmbedderUnavailable, RetrieverUnknown
from retrieval.protocols import CountTokens, Embedder, Retriever
from retrieval.types import Bm25Formula

if TYPE_CHECKING:
    from coref.types import Annotations
    from retrieval.index import BookIndex
    from retrieval.retrievers.search import Ranker

    MakeRanker = Callable[["RankerParts"], Ranker]


def _minilm(bits: ChooseBits) -> Embedder:
    from retrieval.embedders.minilm import MiniLmEmbedder

    return MiniLmEmbedder(bits())


def _hashing(_: ChooseBits) -> Embedder:
    from retrieval.embedders.hashing import HashingEmbedder

    return HashingEmbedder()


EMBEDDERS: dict[str, Callable[[ChooseBits], Embedder]] = {"minilm": _minilm, "hashing": _hashing}


def expect_embedder(name: str) -> None:
    """Raise EmbedderUnavailable if there is neither an embedder nor a folder of that name."""
    if name not in EMBEDDERS and not Path(name).is_dir():
        remedy = f"Choose one of {', '.join(EMBEDDERS)}, or give the path of a sentence-transformers folder."
        raise EmbedderUnavailable(f"There is no embedder `{name}`, nor a folder of that name.", remedy=remedy)


def make_embedder(name: str = "minilm", *, bits: ChooseBits = exact) -> Embedder:
    """Return a registered embedder, or the sentence-transformers model in the local folder `name`."""
    expect_embedder(name)
    if name in EMBEDDERS:
        return EMBEDDERS[name](bits)
    from retrieval.embedders.folder import FolderEmbedder

    return FolderEmbedder(Path(name), bits=bits())


@dataclass(frozen=True, slots=True)
class RankerParts:
    """The parts that a ranker may be built from."""

    index: BookIndex
    annotations: Annotations
    embedder: Embedder
    bm25: Bm25Formula


def _mentions(parts: RankerParts) -> Ranker:
    from retrieval.retrievers.mentions import MentionRanker

    return MentionRanker(index=parts.index, annotations=parts.annotations)


def _telling(parts: RankerParts) -> Ranker:
    from retrieval.retrievers.telling import TellingRanker

    return TellingRanker(index=parts.index, annotations=parts.annotations)


def _bm25(parts: RankerParts) -> Ranker:
    from retrieval.retrievers.lexical import Bm25Ranker

    return Bm25Ranker(index=parts.index, annotations=parts.annotations, formula=parts.bm25)


def _dense(parts: RankerParts) -> Ranker:
    from retrieval.retrievers.meaning import DenseRanker

    return DenseRanker(index=parts.index, annotations=parts.annotations, embedder=parts.embedder)


def _hybrid(parts: RankerParts) -> Ranker:
    from retrieval.retrievers.hybrid import HybridRanker

    return HybridRanker([make(parts) for make in (_mentions, _bm25, _dense)])


def _lead(_: RankerParts) -> Ranker:
    from retrieval.retrievers.baselines import LeadRanker

    return LeadRanker()


def _random(_: RankerParts) -> Ranker:
    from retrieval.retrievers.baselines import RandomRanker

    return RandomRanker()


RETRIEVERS: dict[str, MakeRanker] = {
    "telling": _telling,
    "mentions": _mentions,
    "bm25": _bm25,
    "dense": _dense,
    "hybrid": _hybrid,
    "lead": _lead,
    "random": _random,
}


def expect_retriever(name: str) -> None:
    """Raise RetrieverUnknown if there is no retriever of that name."""
    if name not in RETRIEVERS:
        raise RetrieverUnknown(
            f"There is no retriever `{name}`.", remedy=f"Choose one of {', '.join(RETRIEVERS)}."
        )


def make_retriever(
    name: str = "telling",
    *,
    index: BookIndex,
    annotations: Annotations,
    embedder: Embedder,
    count_tokens: CountTokens | None = None,
    bm25: Bm25Formula = Bm25Formula.LUCENE,
) -> Retriever:
    """Return a retriever over one opened book. `count_tokens` is the writer's own, for token budgets."""
    expect_retriever(name)
    from retrieval.retrievers.search import Search

    ranker = RETRIEVERS[name](RankerParts(index, annotations, embedder, bm25))
    return Search(name, ranker, index=index, annotations=annotations, count_tokens=count_tokens)
