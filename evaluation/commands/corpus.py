"""`bookworm evaluate corpus`: find every quotation and excerpt of the corpus in the texts of its novels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from books.errors import BookwormError
from evaluation.commands.options import CorpusTexts
from service.cli import output
from service.cli.exits import Exit
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.corpus.introductions import ReadIntroduction
    from evaluation.corpus.quotations import MissingQuotation
    from evaluation.corpus.speakers import MarkedQuotation
    from evaluation.corpus.turns import TurnPair

    Marked = TurnPair | MarkedQuotation | ReadIntroduction


class QuotationsMissing(BookwormError):
    code = "quotations_missing"
    remedy = "Use the texts that the corpus was made from, or correct the quotations that are listed."


def corpus(
    texts: CorpusTexts,
    json: JsonFlag = False,
) -> None:
    """Find every quotation and excerpt of the corpus in its novels' texts. Fails if one is not found."""
    from evaluation.corpus.loading import novels
    from evaluation.corpus.quotations import missing, text_of, with_readings

    lost: list[MissingQuotation] = []
    absent: list[str] = []
    checked = 0
    for novel in novels():
        try:
            text = text_of(novel, texts)
        except FileNotFoundError:
            absent.append(novel.novel)
            continue
        lost += missing(novel, text)
        checked += sum(1 for _ in with_readings(novel))
    looked_up = [*_excerpts(texts), *_marked(texts)]
    lost += filter(None, looked_up)
    searched = checked + len(looked_up)
    if not searched:
        raise QuotationsMissing(
            f"{texts} does not have the text of any novel of the corpus.",
            remedy="Give another folder with --novels.",
        )
    if json:
        counts = {"quotations": checked, "excerpts": len(looked_up)}
        output.write_json({**counts, "missing": plain(lost), "without_text": absent})
        if lost:
            raise typer.Exit(Exit.ERROR)
        return
    for name in absent:
        output.warn(f"{texts} has no text of {name}.")
    for each in lost:
        output.warn(f"{each.novel}, {each.about}: “{each.quote}”")
    output.out.print(
        f"{checked:,} quotations and {len(looked_up):,} excerpts, {len(lost)} not found; "
        f"{len(absent)} novels without a text"
    )
    if lost:
        raise QuotationsMissing(f"{len(lost)} of {searched:,} quotations are not in their novels.")


def _excerpts(texts: Path) -> Iterator[MissingQuotation | None]:
    """Yield None for each excerpt that its novel has, and what is missing for the others."""
    from evaluation.corpus.asked_passages import asked_passages
    from evaluation.corpus.excerpts import excerpts
    from evaluation.corpus.meant import meant_novels
    from evaluation.corpus.quotations import MissingQuotation, with_texts
    from evaluation.datasets.shelf import open_book

    for meant, path in with_texts(meant_novels(), texts):
        read = open_book(path).text
        for excerpt in meant.excerpts:
            try:
                excerpt.spans(read)
                yield None
            except ValueError:
                yield MissingQuotation(meant.novel, "who is meant", excerpt.sentences[0])
    for told, path in with_texts(excerpts(), texts):
        read = open_book(path).text
        for pair in told.pairs:
            for part in pair.excerpts:
                lost = part.span(read) is None
                yield MissingQuotation(told.novel, pair.person, part.begins) if lost else None
    for asked, path in with_texts(asked_passages(), texts):
        read = open_book(path).text
        for passage in asked.passages:
            lost = passage.span(read) is None
            yield MissingQuotation(asked.novel, "asked passage", passage.begins) if lost else None


def _marked(texts: Path) -> Iterator[MissingQuotation | None]:
    """Yield None for each marked quotation, pair or sentence that its novel has, or else what is missing."""
    from evaluation.corpus.introductions import introductions
    from evaluation.corpus.quotations import MissingQuotation, with_texts
    from evaluation.corpus.speakers import marked_novels
    from evaluation.corpus.turns import turns
    from evaluation.datasets.shelf import open_book

    marks: dict[tuple[str, Path], list[tuple[str, Marked]]] = defaultdict(list)
    for novel, path in with_texts(turns(), texts):
        marks[novel.novel, path] += (("turn", pair) for pair in novel.pairs)
    for spoken, path in with_texts(marked_novels(), texts):
        marks[spoken.novel, path] += ((said.who, said) for said in spoken.quotations)
    for read_of, path in with_texts(introductions(), texts):
        marks[read_of.novel, path] += ((each.person, each) for each in read_of.sentences)
    for (name, path), marked in marks.items():
        read = open_book(path).text
        for about, each in marked:
            yield None if each.stands_in(read) else MissingQuotation(name, about, each.quote)
