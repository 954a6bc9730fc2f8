"""How facts are found, and what of the gated book they are judged on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from coref.types import Character
from generation.contexts import make_context
from generation.protocols import Extractor
from generation.types import Claim, Context
from retrieval.types import Passage, Query
from service.services import Services
from service.shelf import View

EVIDENCE_PASSAGES: Final = 6


def extractor(services: Services) -> Extractor:
    return services.engines.extractor


def evidence_for(services: Services, view: View) -> Callable[[Claim], Sequence[Passage]]:
    """What bears on a claim: the passages of the gated book that share its words."""
    engine = view.retriever("bm25", embedder=services.engines.embedder, bm25=services.settings.bm25)

    def find(claim: Claim) -> Sequence[Passage]:
        return engine.search(Query(text=claim.text, k=EVIDENCE_PASSAGES, upto=view.upto))

    return find


def context_about(view: View, people: Sequence[Character]) -> Context:
    """The book as far as it has been read, and the people whom a text is about."""
    return make_context(view.book, annotations=view.annotations, people=people, upto=view.upto)
