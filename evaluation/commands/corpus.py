"""`bookworm evaluate corpus`: find every quotation and excerpt of the corpus in the texts of its novels."""

from __future__ import annotations

from books.errors import BookwormError
from evaluation.commands.options import CorpusTexts
from evaluation.corpus.loading import novels
from evaluation.corpus.meant import meant_with_texts
from evaluation.corpus.quotations import MissingQuotation, missing, quotations, text_of
from evaluation.datasets.shelf import open_book
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag


class QuotationsMissing(BookwormError):
    code = "quotations_missing"
    remedy = "Use the texts that the corpus was made from, or correct the quotations that are listed."


def corpus(
    texts: CorpusTexts,
    json: JsonFlag = False,
) -> None:
    """Find every quotation and excerpt of the corpus in its novels' texts. Fails if one is not found."""
    lost: list[MissingQuotation] = []
    absent: list[str] = []
    checked = excerpts = 0
    for novel in novels():
        try:
            text = text_of(novel, texts)
        except FileNotFoundError:
            absent.append(novel.novel)
            continue
        lost += missing(novel, text)
        checked += sum(1 for _ in quotations(novel))
    for meant, path in meant_with_texts(texts):
        read = open_book(path).text
        for excerpt in meant.excerpts:
            excerpts += 1
            try:
                excerpt.spans(read)
            except ValueError:
                lost.append(MissingQuotation(meant.novel, "who is meant", excerpt.sentences[0]))
    if json:
        counts = {"quotations": checked, "excerpts": excerpts}
        output.write_json({**counts, "missing": plain(lost), "without_text": absent})
    else:
        for name in absent:
            output.warn(f"{texts} has no text of {name}.")
        for each in lost:
            output.warn(f"{each.novel}, {each.about}: “{each.quote}”")
        output.out.print(
            f"{checked:,} quotations and {excerpts} excerpts, {len(lost)} not found; "
            f"{len(absent)} novels without a text"
        )
    if lost or not checked:
        raise QuotationsMissing(
            f"{len(lost)} quotations are not in their novels; {checked:,} were looked for."
        )
