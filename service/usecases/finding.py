"""Search in one book for words, phrases, what somebody says, and scenes; and a plain no."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.errors import SearchInvalid
from retrieval.finding.query_line import parse
from retrieval.finding.search import Wanted
from retrieval.finding.types import BookSearch
from retrieval.types import Order
from service.services import Services
from service.shelf import View
from service.usecases.characters import met


@dataclass(frozen=True, slots=True)
class SearchedBook:
    view: View
    found: BookSearch


def search_in(
    services: Services, view: View, line: str, *, order: Order, limit: int, offset: int
) -> SearchedBook:
    """Search as far as the reader has read. Raises SearchInvalid, and the errors of names in the line."""
    parsed = parse(line)
    if parsed.chapters is not None and parsed.chapters[0] > view.chapters:
        raise SearchInvalid(f"There is no chapter {parsed.chapters[0]}: the book has {view.chapters}.")
    wanted = Wanted(
        line=parsed,
        by=met(view, parsed.by).id if parsed.by else None,
        company=tuple(met(view, name).id for name in parsed.company),
        order=order,
        limit=limit,
        offset=offset,
    )
    return SearchedBook(view, view.search(wanted, services.engines.embedder))
