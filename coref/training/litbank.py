"""LitBank's coreference layer: documents of about 2,000 words of novels, with every mention's entity.

In `.txt` a line is a sentence, and blanks separate words. In `.ann` tabs separate the columns: `MENTION` with
an id, first sentence and word, last sentence and word (inclusive), text, category and kind; `COREF` with a
mention's id and its entity. A mention without a `COREF` row is an entity of its own, and counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from coref.native.document import Document, Range
from coref.native.spoken_words import speech_of
from coref.types import EntityCategory, MentionKind

_SUFFIX = "_brat"
_ROWS = ("MENTION", "COREF", "COP", "APPOS")


@dataclass(frozen=True, slots=True)
class LitbankMention:
    span: Range
    category: str
    kind: str
    entity: str


@dataclass(frozen=True, slots=True)
class LitbankDocument:
    name: str
    document: Document
    mentions: tuple[LitbankMention, ...]
    """In order. Of two with the same start the longer comes first."""
    events: tuple[bool, ...] = ()
    """For each word whether it is an event that happened. Empty if events are not annotated."""


class LitbankDamaged(ValueError):
    """Names the file and row, for whoever prepared the data."""


def load(folder: Path, names: list[str]) -> list[LitbankDocument]:
    """Load documents from LitBank's folder, by the names in its lists of ids."""
    return [_document(folder, name.removesuffix(_SUFFIX)) for name in names]


def read_ids(file: Path) -> list[str]:
    return [line.strip() for line in file.read_text("utf-8").splitlines() if line.strip()]


def _document(folder: Path, name: str) -> LitbankDocument:
    words: list[str] = []
    starts: list[int] = []
    for line in (folder / "coref" / f"{name}{_SUFFIX}.txt").read_text("utf-8").splitlines():
        starts.append(len(words))
        words += line.split()
    ends = [*starts[1:], len(words)]
    sentences = tuple((start, end) for start, end in zip(starts, ends, strict=True) if start < end)
    document = Document(tuple(words), sentences, speech_of(words))
    mentions = _mentions(folder / "coref" / f"{name}{_SUFFIX}.ann", starts, words)
    return LitbankDocument(
        name, document, mentions, _events(folder / "events" / f"{name}{_SUFFIX}.tsv", words)
    )


def _events(file: Path, words: list[str]) -> tuple[bool, ...]:
    """Read events. A row is a word and `EVENT` or `O`; empty rows separate sentences."""
    if not file.is_file():
        return ()
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines() if line.strip()]
    if [row[0] for row in rows] != words:
        raise LitbankDamaged(f"{file.name} has other words than the document in coref/.")
    return tuple(row[-1] == "EVENT" for row in rows)


def _mentions(file: Path, starts: list[int], words: list[str]) -> tuple[LitbankMention, ...]:
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines() if line.strip()]
    if strange := next((row[0] for row in rows if row[0] not in _ROWS), None):
        raise LitbankDamaged(f"{file.name} has a row that begins with none of {', '.join(_ROWS)}: {strange}")
    try:
        entities = {row[1]: row[2] for row in rows if row[0] == "COREF"}
        found = [
            LitbankMention(
                (starts[int(row[2])] + int(row[3]), starts[int(row[4])] + int(row[5]) + 1),
                category=row[7],
                kind=row[8],
                entity=entities.get(row[1], f"alone:{row[1]}"),
            )
            for row in rows
            if row[0] == "MENTION"
        ]
    except (IndexError, ValueError) as error:
        raise LitbankDamaged(f"{file.name} has a row that is no mention: {error}.") from error
    marked = [row for row in rows if row[0] == "MENTION"]
    for at, known in ((7, EntityCategory), (8, MentionKind)):
        if others := {row[at] for row in marked} - set(known):
            raise LitbankDamaged(f"{file.name} has a mention with none of {', '.join(known)}: {min(others)}")
    if strays := entities.keys() - {row[1] for row in marked}:
        raise LitbankDamaged(f"{file.name} gives {min(strays)} an entity, but has no such mention.")
    for mention, text in zip(found, (row[6] for row in marked), strict=True):
        if (there := " ".join(words[slice(*mention.span)])) != text:
            raise LitbankDamaged(f"{file.name} has the mention “{text}” where the text has “{there}”.")
    return tuple(sorted(found, key=lambda mention: (mention.span[0], -mention.span[1])))
