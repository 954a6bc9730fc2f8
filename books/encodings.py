"""From bytes to text: which encoding, how it was chosen, and whether this is text at all."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from books.errors import EmptyBook, EncodingUnknown, NotText
from books.types import EncodingBy

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_TEXT_CONTROLS = frozenset("\t\n\r\f\v\x1a\x85")
_MAX_CONTROL_SHARE = 0.001


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    encoding: str
    by: EncodingBy
    warnings: tuple[str, ...] = ()


def decode(data: bytes, *, order: str | None = None, declared: str | None = None) -> Decoded:
    """The text with line ends made `\\n`. `order` is the user's and wins; `declared` is the file's word."""
    encoding, by, skip = _choose(data, order)
    try:
        text = data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        raise NotText(f"The file is not valid {encoding} at byte {error.start}.") from error
    _refuse_binary(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise EmptyBook("The file holds no text.")
    guessed = f"Not valid UTF-8, so it was read as {encoding}."
    return Decoded(text, encoding, by, (guessed,) if by is EncodingBy.GUESSED else ())


def canonical(name: str) -> str:
    """Python's own name of an encoding for text, such as `utf-8` for `UTF8`. Raises EncodingUnknown."""
    try:
        found = codecs.lookup(name.strip())
        b" ".decode(found.name, "replace")  # `base64` and its like are codecs, but they make no text
    except (LookupError, ValueError) as error:
        raise EncodingUnknown(f"There is no encoding called {name!r}.") from error
    return found.name


def _choose(data: bytes, order: str | None) -> tuple[str, EncodingBy, int]:
    if order is not None:
        return canonical(order), EncodingBy.GIVEN, 0
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding, EncodingBy.MARK, len(bom)
    if b"\x00" in data:
        raise NotText("The file holds NUL bytes, so it is not text.")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return ("cp1252" if _fits_cp1252(data) else "latin-1"), EncodingBy.GUESSED, 0
    return "utf-8", EncodingBy.VALID, 0


def _fits_cp1252(data: bytes) -> bool:
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return False
    return True


def _refuse_binary(text: str) -> None:
    controls = sum(1 for c in text if (c < " " or "\x7f" <= c <= "\x9f") and c not in _TEXT_CONTROLS)
    if controls > _MAX_CONTROL_SHARE * len(text):
        raise NotText("The file is full of control characters, so it is not text.")
