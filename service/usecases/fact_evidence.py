"""Provide the retriever and the context with which facts are judged."""

from __future__ import annotations

from collections.abc import Sequence

from coref.types import Character
from generation.contexts import make_context
from generation.types import Context
from retrieval.protocols import Retriever
from service.services import Services
from service.shelf import View


def evidence_retriever(services: Services, view: View) -> Retriever:
    """Return the retriever that searches the visible part of the book for the words of a claim."""
    return view.retriever("bm25", embedder=services.engines.embedder, bm25=services.settings.bm25)


def context_about(view: View, people: Sequence[Character]) -> Context:
    """Return the context of a text about these people, with the visible part of the book."""
    return make_context(view.book, annotations=view.annotations, people=people, upto=view.upto)
