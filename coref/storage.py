"""Keeps annotations in one columnar file: numbers as arrays, names as JSON in the header. No pickle.

The file is safetensors: it can be memory-mapped, reading it executes nothing, and a digest over everything
that it holds is compared on reading.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from books.types import Span
from coref.errors import AnnotationsDamaged
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind, Quote

FILE = "annotations.safetensors"
FORMAT = "bookworm.annotations.columns/1"
NOBODY = -1
_KINDS = tuple(MentionKind)
_KEY = "bookworm"

Column = NDArray[Any]


def save(annotations: Annotations, path: Path) -> None:
    """Writes beside `path` and then replaces it, so that nobody reads half a file."""
    from safetensors.numpy import save as to_bytes

    columns, surfaces = _columns(annotations)
    head = json.dumps(_head(annotations, surfaces), ensure_ascii=False, separators=(",", ":"))
    sealed = json.dumps({"digest": _digest(head, columns), "head": head}, ensure_ascii=False)
    aside = path.with_name(path.name + ".part")
    aside.write_bytes(to_bytes(columns, metadata={_KEY: sealed}))
    aside.replace(path)


def load(path: Path) -> Annotations:
    """What `save` was given, exactly; `AnnotationsDamaged` when the file holds anything else."""
    try:
        head, columns = _read(path)
        return _assemble(head, columns)
    except OSError as error:
        raise AnnotationsDamaged(
            f"The annotations at {path.name} cannot be read: {error.strerror}."
        ) from error
    except AnnotationsDamaged:
        raise
    except Exception as error:  # whatever a garbled file makes the parsers say, it means one thing
        raise AnnotationsDamaged(f"{path.name} does not hold annotations, or no longer does.") from error


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Column]]:
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        sealed = json.loads(file.metadata()[_KEY])
        columns = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if sealed["digest"] != _digest(sealed["head"], columns):
        raise AnnotationsDamaged(f"{path.name} has changed since it was written.")
    head: dict[str, Any] = json.loads(sealed["head"])
    if head["format"] != FORMAT:
        raise AnnotationsDamaged(
            f"{path.name} is in format {head['format']}, and this program reads {FORMAT}."
        )
    return head, columns


def _digest(head: str, columns: Mapping[str, Column]) -> str:
    digest = hashlib.sha256(head.encode("utf-8", "surrogatepass"))
    for name in sorted(columns):
        column = columns[name]
        digest.update(f"\n{name} {column.dtype} {column.shape}\n".encode())
        digest.update(column.tobytes())
    return digest.hexdigest()


def _columns(annotations: Annotations) -> tuple[dict[str, Column], list[str]]:
    mentions, quotes = annotations.mentions, annotations.quotes
    row = {c.id: i for i, c in enumerate(annotations.characters)}
    surfaces = sorted({m.surface for m in mentions})
    place = {surface: i for i, surface in enumerate(surfaces)}
    columns: dict[str, Column] = {
        "mention.start": _int32(m.span.start for m in mentions),
        "mention.end": _int32(m.span.end for m in mentions),
        "mention.kind": np.fromiter((_KINDS.index(m.kind) for m in mentions), dtype=np.uint8),
        "mention.character": _int32(_row(row, m.character) for m in mentions),
        "mention.surface": _int32(place[m.surface] for m in mentions),
        "quote.start": _int32(q.span.start for q in quotes),
        "quote.end": _int32(q.span.end for q in quotes),
        "quote.speaker": _int32(_row(row, q.speaker) for q in quotes),
        "quote.addressee": _int32(_row(row, q.addressee) for q in quotes),
        "quote.confidence": np.fromiter((q.confidence for q in quotes), dtype=np.float64),
    }
    return columns, surfaces


def _int32(values: Any) -> Column:
    return np.fromiter(values, dtype=np.int32)


def _row(rows: Mapping[str, int], character: str | None) -> int:
    if character is None:
        return NOBODY
    if character not in rows:
        raise ValueError(f"a mention or quote names {character!r}, which is not among the characters")
    return rows[character]


def _head(annotations: Annotations, surfaces: Sequence[str]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "resolver": annotations.resolver,
        "narrator": annotations.narrator,
        "characters": [
            {
                "id": c.id,
                "name": c.name,
                "aliases": [[a.text, a.count, a.first] for a in c.aliases],
                "kind": c.kind.value,
                "pronouns": c.pronouns,
                "mention_count": c.mention_count,
                "first": c.first,
            }
            for c in annotations.characters
        ],
        "surfaces": list(surfaces),
    }


def _assemble(head: Mapping[str, Any], columns: Mapping[str, Column]) -> Annotations:
    characters = tuple(_character(row) for row in head["characters"])
    ids: list[str | None] = [*(c.id for c in characters), None]  # the last one is what NOBODY points at
    surfaces: list[str] = head["surfaces"]
    return Annotations(
        resolver=head["resolver"],
        characters=characters,
        mentions=tuple(
            Mention(Span(start, end), _KINDS[kind], ids[who], surfaces[said])
            for start, end, kind, who, said in _rows(columns, "mention", "start end kind character surface")
        ),
        quotes=tuple(
            Quote(Span(start, end), ids[speaker], ids[addressee], confidence)
            for start, end, speaker, addressee, confidence in _rows(
                columns, "quote", "start end speaker addressee confidence"
            )
        ),
        narrator=head["narrator"],
    )


def _rows(columns: Mapping[str, Column], of: str, names: str) -> Any:
    return zip(*(columns[f"{of}.{name}"].tolist() for name in names.split()), strict=True)


def _character(row: Mapping[str, Any]) -> Character:
    return Character(
        id=row["id"],
        name=row["name"],
        aliases=tuple(Alias(text, count, first) for text, count, first in row["aliases"]),
        kind=CharacterKind(row["kind"]),
        pronouns=row["pronouns"],
        mention_count=row["mention_count"],
        first=row["first"],
    )
