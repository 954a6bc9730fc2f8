"""The formats of an export, and the files that each consists of."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from books.types import Book
    from coref.export.tables import WhoTexts
    from coref.types import Annotations


class ExportFormat(StrEnum):
    JSON = "json"
    JSONL = "jsonl"
    CONLL = "conll"
    CONLL_BOOK = "conll-book"
    BOOKNLP = "booknlp"
    CSV = "csv"
    MARKDOWN = "markdown"


FORMATS_TOLD: Final = (
    "json (bookworm.annotations/1), jsonl (one object per line), conll (CoNLL-2012, one part per chapter), "
    "conll-book (CoNLL-2012, one part), booknlp (four files), csv (three files for spreadsheets: cast, "
    "mentions and quotes) or markdown (the cast as a table)."
)
SEVERAL_FILES: Final = (ExportFormat.BOOKNLP, ExportFormat.CSV)


def export(
    book: Book,
    annotations: Annotations,
    form: ExportFormat,
    *,
    who: Callable[[], WhoTexts] = dict,
    how_far: str = "",
) -> dict[str, str]:
    """Return the text of each file by the ending of its name. `who` is asked only for tables of the cast.

    `how_far` says in words how much of the book it is, if not all of it.
    """
    import json

    from coref.export.booknlp import to_booknlp
    from coref.export.conll import to_conll
    from coref.export.document import to_json
    from coref.export.jsonl import to_jsonl
    from coref.export.tables import to_csv, to_markdown

    match form:
        case ExportFormat.JSON:
            document = to_json(book, annotations)
            return {"json": json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"}
        case ExportFormat.JSONL:
            return {"jsonl": to_jsonl(book, annotations)}
        case ExportFormat.CONLL | ExportFormat.CONLL_BOOK:
            return {"conll": to_conll(book, annotations, whole=form is ExportFormat.CONLL_BOOK)}
        case ExportFormat.BOOKNLP:
            return to_booknlp(book, annotations)
        case ExportFormat.CSV:
            return to_csv(book, annotations, who())
        case ExportFormat.MARKDOWN:
            return {"md": to_markdown(book, annotations, who(), how_far=how_far)}
