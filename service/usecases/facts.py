"""How facts are found, and what of the gated book they are judged on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from generation import claims
from generation.protocols import Extracted, Extractor
from generation.types import Claim, Draft, Prompt
from retrieval.types import Passage, Query
from service.services import Services
from service.shelf import View

EVIDENCE_PASSAGES: Final = 6


@dataclass(frozen=True, slots=True)
class _Offline:
    name: str = "offline"

    def extract(self, draft: Draft, prompt: Prompt) -> Extracted:
        return Extracted(claims.extract(draft, prompt))


def extractor(services: Services) -> Extractor:
    del services
    return _Offline()


def evidence_for(services: Services, view: View) -> Callable[[Claim], Sequence[Passage]]:
    """What bears on a claim: the passages of the gated book that share its words."""
    engine = view.retriever("bm25", embedder=services.engines.embedder, bm25=services.settings.bm25)

    def find(claim: Claim) -> Sequence[Passage]:
        return engine.search(Query(text=claim.text, k=EVIDENCE_PASSAGES, upto=view.upto))

    return find
