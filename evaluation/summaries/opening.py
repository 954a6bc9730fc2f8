"""Open the novels of the corpus, resolved and indexed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from coref.protocols import Resolver
from evaluation.corpus.errors import NovelsLeftOut
from evaluation.corpus.loading import novels
from evaluation.corpus.quotations import path_of
from evaluation.corpus.types import CorpusNovel, Split
from evaluation.datasets.shelf import open_book
from evaluation.portraits.types import OpenedBook
from evaluation.portraits.workroom import Tell, Workroom
from retrieval.registry import make_embedder


def opened_novels(
    split: Split,
    *,
    texts: Path,
    work: Path,
    resolver: Resolver,
    only_resolved: bool,
    tell: Tell,
    only: Sequence[str] = (),
    wanted: Callable[[CorpusNovel], bool] = bool,
) -> Iterator[tuple[CorpusNovel, OpenedBook]]:
    """Yield the novels of a split whose texts are there, each open until the next is asked for.

    `only` has parts of names, of which a novel's must contain one; `wanted` says which novels are of use.
    Raises NovelsLeftOut if `only` or `only_resolved` leaves out every one.
    """
    room = Workroom(work, resolver, make_embedder(), tell)
    chosen = [novel for novel in novels(split) if wanted(novel)]
    if only:
        chosen = [novel for novel in chosen if any(part in novel.novel for part in only)]
        if not chosen:
            raise NovelsLeftOut.by_name(f"those of the split {split} that are used here")
    unresolved, opened_any = False, False
    for novel in chosen:
        try:
            path = path_of(novel, texts)
        except FileNotFoundError:
            tell(f"{texts} has no text of {novel.title}")
            continue
        if only_resolved and not room.has(open_book(path)):
            unresolved = True
            continue
        opened_any = True
        with room.open(path) as opened:
            yield novel, opened
    if unresolved and not opened_any:
        raise NovelsLeftOut.unresolved()
