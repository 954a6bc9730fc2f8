"""Stores annotations in one columnar file: numbers as arrays, names as JSON in the header. No pickle.

The file is safetensors: it can be memory-mapped, reading it executes nothing, and a digest of all its content
is verified on reading. Values that older formats did not have are read as missing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from books.types import Span
from coref.errors import AnnotationsDamaged
from coref.language.syntax import Parse
from coref.packing import pack, unpack
from coref.types import (
    Alias,
    Annotations,
    Character,
    CharacterKind,
    Doubt,
    EntityCategory,
    Mention,
    MentionKind,
    Merge,
    Quote,
    QuoteType,
    Teller,
    Tense,
    Trait,
    TraitKind,
)

FILE = "annotations.safetensors"
FORMAT = "bookworm.annotations.columns/3"
_SECOND = "bookworm.annotations.columns/2"
_FIRST = "bookworm.annotations.columns/1"
NOBODY = -1
_KEY = "bookworm"
_MENTION = "start end kind character surface category entity confidence"
_QUOTE = "start end speaker addressee confidence type"
_TRAIT = "character kind start end lemma other negated modal tense quoted"
_PARSE = "parse."

Column = NDArray[Any]
Value = TypeVar("Value")


class _NumberedValues(Generic[Value]):
    """Values by their index in a list. None has no index."""

    def __init__(self, values: Iterable[Value]) -> None:
        self.values = list(values)
        self._places = {value: place for place, value in enumerate(self.values)}

    def of(self, value: Value | None) -> int:
        if value is None:
            return NOBODY
        if value not in self._places:
            raise ValueError(f"{value!r} is referenced, but it is neither a known character nor a known word")
        return self._places[value]

    @property
    def back(self) -> list[Value | None]:
        """The values, and None at the end, where `NOBODY` points."""
        return [*self.values, None]


_KINDS = _NumberedValues(MentionKind)
_CATEGORIES = _NumberedValues(EntityCategory)
_TYPES = _NumberedValues(QuoteType)
_TRAITS = _NumberedValues(TraitKind)
_TENSES = _NumberedValues(Tense)


def save(annotations: Annotations, path: Path) -> None:
    """Write a temporary file next to `path` and replace it, so that nobody reads half a file."""
    from safetensors.numpy import save as to_bytes

    people = _NumberedValues(c.id for c in annotations.characters)
    surfaces = _NumberedValues(sorted({m.surface for m in annotations.mentions}))
    said = {t.lemma for t in annotations.traits} | {
        t.modal for t in annotations.traits if t.modal is not None
    }
    words = _NumberedValues(sorted(said))
    parsed, names = pack(annotations.parse) if annotations.parse is not None else ({}, None)
    columns: dict[str, Column] = {
        **_mention_columns(annotations, people, surfaces),
        **_quote_columns(annotations, people),
        **_trait_columns(annotations, people, words),
        **{_PARSE + name: column for name, column in parsed.items()},
    }
    told = {"surfaces": surfaces.values, "words": words.values, "parse": names}
    document = {**_head(annotations, people), **told}
    head = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    sealed = json.dumps({"digest": _digest(head, columns), "head": head}, ensure_ascii=False)
    aside = path.with_name(path.name + ".part")
    aside.write_bytes(to_bytes(columns, metadata={_KEY: sealed}))
    aside.replace(path)


def load(path: Path) -> Annotations:
    """Return exactly what was saved. Raises `AnnotationsDamaged` if the file holds anything else."""
    try:
        head, columns = _read(path)
        return _assemble(head, columns)
    except OSError as error:
        raise AnnotationsDamaged(
            f"The annotations at {path.name} cannot be read: {error.strerror}."
        ) from error
    except AnnotationsDamaged:
        raise
    except Exception as error:  # a damaged file makes the parsers raise anything
        raise AnnotationsDamaged(f"{path.name} does not contain valid annotations.") from error


def is_current(path: Path) -> bool:
    """Return whether the file is in the format that `save` writes. It may still be damaged."""
    from safetensors import safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            head = json.loads(json.loads(file.metadata()[_KEY])["head"])
        return bool(head["format"] == FORMAT)
    except Exception:  # as in `load`
        return False


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Column]]:
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        sealed = json.loads(file.metadata()[_KEY])
        columns = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if sealed["digest"] != _digest(sealed["head"], columns):
        raise AnnotationsDamaged(f"{path.name} has changed since it was written.")
    head: dict[str, Any] = json.loads(sealed["head"])
    if head["format"] not in (FORMAT, _SECOND, _FIRST):
        raise AnnotationsDamaged(
            f"{path.name} is in format {head['format']}, but this version reads {FORMAT}."
        )
    return _upgraded(head, columns) if head["format"] == _FIRST else (head, columns)


def _digest(head: str, columns: Mapping[str, Column]) -> str:
    digest = hashlib.sha256(head.encode("utf-8", "surrogatepass"))
    for name in sorted(columns):
        column = columns[name]
        digest.update(f"\n{name} {column.dtype} {column.shape}\n".encode())
        digest.update(column.tobytes())
    return digest.hexdigest()


def _mention_columns(
    annotations: Annotations, people: _NumberedValues[str], surfaces: _NumberedValues[str]
) -> dict[str, Column]:
    mentions = annotations.mentions
    return {
        "mention.start": _int32(m.span.start for m in mentions),
        "mention.end": _int32(m.span.end for m in mentions),
        "mention.kind": _int8(_KINDS.of(m.kind) for m in mentions),
        "mention.character": _int32(people.of(m.character) for m in mentions),
        "mention.surface": _int32(surfaces.of(m.surface) for m in mentions),
        "mention.category": _int8(_CATEGORIES.of(m.category) for m in mentions),
        "mention.entity": _int32(_entity(m) for m in mentions),
        "mention.confidence": _float64(m.confidence for m in mentions),
    }


def _quote_columns(annotations: Annotations, people: _NumberedValues[str]) -> dict[str, Column]:
    quotes = annotations.quotes
    return {
        "quote.start": _int32(q.span.start for q in quotes),
        "quote.end": _int32(q.span.end for q in quotes),
        "quote.speaker": _int32(people.of(q.speaker) for q in quotes),
        "quote.addressee": _int32(people.of(q.addressee) for q in quotes),
        "quote.confidence": _float64(q.confidence for q in quotes),
        "quote.type": _int8(_TYPES.of(q.type) for q in quotes),
    }


def _trait_columns(
    annotations: Annotations, people: _NumberedValues[str], words: _NumberedValues[str]
) -> dict[str, Column]:
    traits = annotations.traits
    return {
        "trait.character": _int32(people.of(t.character) for t in traits),
        "trait.kind": _int8(_TRAITS.of(t.kind) for t in traits),
        "trait.start": _int32(t.span.start for t in traits),
        "trait.end": _int32(t.span.end for t in traits),
        "trait.lemma": _int32(words.of(t.lemma) for t in traits),
        "trait.other": _int32(people.of(t.other) for t in traits),
        "trait.negated": _int8(int(t.negated) for t in traits),
        "trait.modal": _int32(words.of(t.modal) for t in traits),
        "trait.tense": _int8(_TENSES.of(t.tense) for t in traits),
        "trait.quoted": _int8(int(t.quoted) for t in traits),
    }


def _entity(mention: Mention) -> int:
    if mention.entity is None:
        return NOBODY
    if mention.entity < 0:
        raise ValueError(f"entities are numbered from 0, but a mention has {mention.entity}")
    return mention.entity


def _int32(values: Iterable[int]) -> Column:
    return np.fromiter(values, dtype=np.int32)


def _int8(values: Iterable[int]) -> Column:
    return np.fromiter(values, dtype=np.int8)


def _float64(values: Iterable[float]) -> Column:
    return np.fromiter(values, dtype=np.float64)


def _head(annotations: Annotations, people: _NumberedValues[str]) -> dict[str, Any]:
    told = [*(t.character for t in annotations.tellers), *(m.character for m in annotations.merges)]
    for who in (*told, *(who for doubt in annotations.doubts for who in (doubt.one, doubt.other))):
        people.of(who)  # raises if the character is unknown
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
        "tellers": [[t.span.start, t.span.end, t.character] for t in annotations.tellers],
        "merges": [astuple(m) for m in annotations.merges],
        "doubts": [astuple(d) for d in annotations.doubts],
    }


def _upgraded(head: dict[str, Any], columns: dict[str, Column]) -> tuple[dict[str, Any], dict[str, Column]]:
    """Convert the first format to the second."""
    mentions, quotes = len(columns["mention.start"]), len(columns["quote.start"])
    since: dict[str, Column] = {
        "mention.category": np.full(mentions, _CATEGORIES.of(EntityCategory.PERSON), np.int8),
        "mention.entity": np.full(mentions, NOBODY, np.int32),
        "mention.confidence": np.ones(mentions),
        "quote.type": np.full(quotes, NOBODY, np.int8),
        **{f"trait.{name}": np.zeros(0, np.int32) for name in _TRAIT.split()},
    }
    return {**head, "words": [], "tellers": [], "merges": [], "doubts": []}, {**columns, **since}


def _assemble(head: Mapping[str, Any], columns: Mapping[str, Column]) -> Annotations:
    characters = tuple(_character(row) for row in head["characters"])
    people = _NumberedValues(c.id for c in characters).back
    return Annotations(
        resolver=head["resolver"],
        characters=characters,
        mentions=tuple(_mentions(head, columns, people)),
        quotes=tuple(_quotes(columns, people)),
        narrator=head["narrator"],
        tellers=tuple(Teller(Span(start, end), who) for start, end, who in head["tellers"]),
        merges=tuple(Merge(*row) for row in head["merges"]),
        doubts=tuple(Doubt(*row) for row in head["doubts"]),
        traits=tuple(_traits(head, columns, people)),
        parse=_parse(head, columns),
    )


def _parse(head: Mapping[str, Any], columns: Mapping[str, Column]) -> Parse | None:
    """Return the parse, or None if there is none, as always in the second format."""
    names = head.get("parse")
    if names is None:
        return None
    ours = {name.removeprefix(_PARSE): c for name, c in columns.items() if name.startswith(_PARSE)}
    return unpack(ours, names)


def _mentions(
    head: Mapping[str, Any], columns: Mapping[str, Column], people: Sequence[Any]
) -> Iterator[Mention]:
    surfaces, kinds, categories = head["surfaces"], _KINDS.values, _CATEGORIES.values
    for start, end, kind, who, said, category, entity, sure in _rows(columns, "mention", _MENTION):
        known = None if entity == NOBODY else entity
        span, surface = Span(start, end), surfaces[said]
        yield Mention(span, kinds[kind], people[who], surface, categories[category], known, sure)


def _quotes(columns: Mapping[str, Column], people: Sequence[Any]) -> Iterator[Quote]:
    types = _TYPES.back
    for start, end, speaker, addressee, confidence, how in _rows(columns, "quote", _QUOTE):
        yield Quote(Span(start, end), people[speaker], people[addressee], confidence, types[how])


def _traits(head: Mapping[str, Any], columns: Mapping[str, Column], people: Sequence[Any]) -> Iterator[Trait]:
    words, kinds, tenses = [*head["words"], None], _TRAITS.values, _TENSES.back
    for who, kind, start, end, lemma, other, negated, modal, tense, quoted in _rows(columns, "trait", _TRAIT):
        yield Trait(
            character=people[who],
            kind=kinds[kind],
            span=Span(start, end),
            lemma=words[lemma],
            other=people[other],
            negated=bool(negated),
            modal=words[modal],
            tense=tenses[tense],
            quoted=bool(quoted),
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
