"""Extraction of facts, and the evidence from the visible part of the book on which they are judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from coref.types import Character
from generation.protocols import Extractor
from generation.types import Claim, Prompt, Task
from generation.writing.prompts import make_prompt
from retrieval.types import Passage, Query
from service.services import Services
from service.shelf import View

EVIDENCE_PASSAGES: Final = 6


def extractor(services: Services) -> Extractor:
    return services.engines.extractor


def evidence_for(services: Services, view: View) -> Callable[[Claim], Sequence[Passage]]:
    """Retrieves the evidence for a claim: passages of the visible part of the book that share its words."""
    engine = view.retriever("bm25", embedder=services.engines.embedder, bm25=services.settings.bm25)

    def find(claim: Claim) -> Sequence[Passage]:
        return engine.search(Query(text=claim.text, k=EVIDENCE_PASSAGES, upto=view.upto))

    return find


def prompt_about(view: View, person: Character, task: Task) -> Prompt:
    """The context for extracting facts: the book, and the character that the text is about."""
    return make_prompt(
        view.book, task=task, annotations=view.annotations, characters=[person], upto=view.upto
    )
