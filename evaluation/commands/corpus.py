"""`bookworm evaluate corpus`: find every quotation of the corpus in the texts of its novels."""

from __future__ import annotations

from books.errors import BookwormError
from evaluation.commands.options import CorpusTexts
from evaluation.corpus.loading import novels
from evaluation.corpus.quotations import MissingQuotation, missing, quotations, text_of
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
    """Find every quotation of the corpus in the texts of its novels. Fails if one is not found."""
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
        checked += sum(1 for _ in quotations(novel))
    if json:
        output.write_json({"quotations": checked, "missing": plain(lost), "without_text": absent})
    else:
        for name in absent:
            output.warn(f"{texts} has no text of {name}.")
        for each in lost:
            output.warn(f"{each.novel}, {each.about}: “{each.quote}”")
        output.out.print(
            f"{checked:,} quotations, {len(lost)} not found; {len(absent)} novels without a text"
        )
    if lost or not checked:
        raise QuotationsMissing(
            f"{len(lost)} quotations are not in their novels; {checked:,} were looked for."
        )
