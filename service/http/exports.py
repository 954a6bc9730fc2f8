"""Exports of annotations: files for other programs."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from coref.export.formats import FORMATS_TOLD, SEVERAL_FILES, ExportFormat, export
from service.http.call import ReadCall
from service.http.parameters import BookId, Upto
from service.http.problems import OF_BOOK
from service.usecases.profiles import who_texts
from service.wire.exports import base_name
from service.wire.markdown import how_far

router = APIRouter(tags=["books"])

_MEDIA: Final = {
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "conll": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "zip": "application/zip",
}


@router.get(
    "/books/{book_id}/annotations",
    response_class=Response,
    responses={
        200: {"description": "The file", "content": {media: {} for media in _MEDIA.values()}},
        **OF_BOOK,
    },
)
def export_annotations(
    call: ReadCall,
    book_id: BookId,
    upto: Upto = None,
    form: Annotated[
        ExportFormat, Query(alias="format", description=f"{FORMATS_TOLD} Several files come as a ZIP file.")
    ] = ExportFormat.JSON,
) -> Response:
    """The people, mentions, quotes and traits of a book as a file, with the corrections of its readers."""
    view = call.view(book_id, upto)
    who, base = partial(who_texts, view), base_name(view)
    texts = export(view.book, view.annotations, form, who=who, how_far=how_far(view))
    if form in SEVERAL_FILES:
        files = {f"{base}.{kind}": text for kind, text in texts.items()}
        ending, content = "zip", _zipped(files)
    else:
        [(ending, text)] = texts.items()
        content = text.encode()
    name = {"Content-Disposition": f'attachment; filename="{base}.{ending}"'}
    return Response(content, media_type=_MEDIA[ending], headers={**call.headers, **name})


def _zipped(texts: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return made.getvalue()
