"""Turn bytes into text: find the encoding, record how it was chosen, and reject what is not text."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Final

from books import legacy
from books.errors import EmptyBook, EncodingUnknown, NotText
from books.lists import lines
from books.types import EncodingBy

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NOT_FOR_BOOKS: Final = frozenset(
    ("idna", "punycode", "raw_unicode_escape", "unicode_escape", "undefined", "utf_7", "mbcs", "oem")
)
"""Python codecs that turn bytes into text but that no book is written in."""
_CONTROLS = bytes(c for c in range(0x20) if chr(c) not in "\t\n\r\f\v\x1a") + b"\x7f"
_NO_CONTROLS = bytes(sorted(set(range(256)) - set(_CONTROLS)))
_C1 = re.compile(rb"\xc2[\x80-\x84\x86-\x9f]")
_HIGH = bytes(range(0x80, 0x100))
_MAX_CONTROL_SHARE = 0.001
_MAX_C1_SHARE = 0.1
"""Highest share of controls from U+0080 to U+009F: garbled texts have them in place of curly quotes."""
_CHUNK = 1 << 14
_DAMAGED_UTF8 = 2
"""The number of intact characters per broken one that shows damaged UTF-8.

Other encodings hardly ever look like it by chance.
"""
_DECLARED_FITS = 0.4
_CP1252 = "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in range(256))
"""Five bytes are undefined in cp1252; like browsers, we keep them as control characters."""
_LOST = "\ufffd"
_ASCII = bytes(range(0x20, 0x7F))
_GARBLED_LEADS = ("â€", "Ã", "Â", "Ð", "ä", "å", "æ", "ç")
_GARBLED = re.compile(
    r"â€[œ\x9d™˜“”¦¢\x9c\x98\x99\x93\x94]|Ã[\x80-\x9f¡-¿€ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|Â[\xa0«»°£©§]"
    r"|(?:[ÐÑ][\x80-¿‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]){2}|[äåæçèé][\x80-¿‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{2}(?=[ä-éï])"
)
"""UTF-8 that some program decoded as cp1252 or latin-1 before the file came here: â€œ for “, Ã© for é."""
_GARBLED_ENOUGH = 3
_ACCENT = re.compile("[\u0300-\u036f]")
_ACCENTED = re.compile(r"[^\W\d_][\u0300-\u036f]{1,9}(?![\u0300-\u036f])")
"""A letter and its accents, which are characters of their own."""


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    encoding: str
    by: EncodingBy
    warnings: tuple[str, ...] = ()


def decode(data: bytes, *, order: str | None = None, declared: str | None = None) -> Decoded:
    """Decode the bytes, make line ends `\\n`, and compose letters with their accents.

    `order` is the user's encoding and takes precedence; `declared` is the encoding that the file names.
    """
    chosen = _ordered(data, order) if order is not None else _marked(data) or _unmarked(data, declared)
    _refuse_binary(chosen.text)
    text = composed(chosen.text.replace("\r\n", "\n").replace("\r", "\n"))
    if not text or text.isspace():
        raise EmptyBook("The file holds no text.")
    whole = chosen.by is not EncodingBy.GUESSED
    return Decoded(text, chosen.encoding, chosen.by, (*chosen.warnings, *_wounds(text, whole=whole)))


def composed(text: str) -> str:
    """Return a text with a letter and its accents as one character: a word would end at an accent.

    A letter with more accents than any language has is left alone: to order them takes quadratic time.
    """
    if text.isascii() or _ACCENT.search(text) is None:
        return text
    return _ACCENTED.sub(lambda match: unicodedata.normalize("NFC", match[0]), text)


def canonical(name: str) -> str:
    """Return Python's own name for an encoding, such as `utf-8` for `UTF8`. Raises EncodingUnknown."""
    try:
        info = codecs.lookup(name.strip())
    except (LookupError, ValueError) as error:
        raise EncodingUnknown(f"There is no encoding called {name!r}.") from error
    if not _for_books(info):
        raise EncodingUnknown(f"{name!r} is not an encoding that books are written in.")
    return info.name


def _ordered(data: bytes, order: str) -> Decoded:
    encoding = canonical(order)
    return Decoded(_strictly(data, encoding).removeprefix("\ufeff"), encoding, EncodingBy.GIVEN)


def _marked(data: bytes) -> Decoded | None:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return Decoded(_strictly(data[len(bom) :], encoding), encoding, EncodingBy.MARK)
    return None


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise NotText(f"The file is not valid {encoding} at byte {error.start}.") from error
    except UnicodeError as error:
        raise NotText(f"The file is not valid {encoding}.") from error


def _unmarked(data: bytes, declared: str | None) -> Decoded:
    if b"\x00" in data:
        return _wide(data)
    try:
        return Decoded(data.decode("utf-8"), "utf-8", EncodingBy.VALID)
    except UnicodeDecodeError:
        return _declared(data, declared) or _damaged_utf8(data) or _guessed(data, declared)


def _wide(data: bytes) -> Decoded:
    """Decode UTF-16 without a byte order mark.

    It holds NUL bytes and is readable in one of the two byte orders.
    """
    fit, encoding = max((legacy.fit_of_wide(data, codec), codec) for codec in ("utf-16-be", "utf-16-le"))
    if fit < legacy.PLAUSIBLE:
        raise NotText("The file holds NUL bytes, so it is not text.")
    warning = f"The file does not say which encoding it has; it was read as {encoding}."
    return Decoded(_strictly(data, encoding), encoding, EncodingBy.GUESSED, (warning,))


def _declared(data: bytes, label: str | None) -> Decoded | None:
    """Decode as the file declares, if the result is readable and no other encoding gives a far better one."""
    codec = codec_of(label) if label else None
    if codec is None or codec == "utf-8":
        return None
    try:
        if _ASCII.decode(codec) != _ASCII.decode("ascii"):
            return None  # in that case the declaration itself could not have been read
        text = _western(data) if codec == "cp1252" else data.decode(codec)
    except UnicodeError:
        return None
    fit = legacy.fit_of(data, codec)
    if fit is not None and fit < _DECLARED_FITS and legacy.guesses(data)[0].fit >= legacy.PLAUSIBLE:
        return None
    return Decoded(text, codec, EncodingBy.DECLARED)


def codec_of(label: str) -> str | None:
    """Return the codec that a declared encoding name means on the web, or None for an unknown name."""
    bare = label.strip(" \t\r\n\f\"'").lower()
    if bare in _labels():
        return _labels()[bare]
    try:
        info = codecs.lookup(bare)
    except (LookupError, ValueError):
        return None
    return _labels().get(info.name, info.name) if _for_books(info) else None


def _for_books(info: codecs.CodecInfo) -> bool:
    return info.name.replace("-", "_") not in _NOT_FOR_BOOKS and getattr(info, "_is_text_encoding", True)


@cache
def _labels() -> dict[str, str]:
    pairs = [line.split() for line in lines("books", "data/charset_labels.txt")]
    return {pair[0]: pair[1] for pair in pairs}


def _damaged_utf8(data: bytes) -> Decoded | None:
    text = data.decode("utf-8", "replace")
    broken = text.count(_LOST) - data.count(_LOST.encode())
    whole = len(text) - broken - len(data.translate(None, _HIGH))
    if whole < _DAMAGED_UTF8 * broken:
        return None
    warning = f"The file is UTF-8, but damaged in {_places(broken)}: get a better copy if you can."
    return Decoded(text, "utf-8", EncodingBy.GUESSED, (warning,))


def _guessed(data: bytes, declared: str | None) -> Decoded:
    found = legacy.guesses(data)
    best = found[0]
    if best.fit < legacy.PLAUSIBLE:
        return Decoded(_western(data), "cp1252", EncodingBy.GUESSED, (_helpless(found),))
    said = f" It declares {declared}, which does not fit." if declared else ""
    warning = (
        f"The file is not valid UTF-8, so it was read as {best.codec} ({best.whose}).{said}"
        " If letters look wrong, read it again and name its encoding."
    )
    if best.codec == "cp1252":
        return Decoded(_western(data), "cp1252", EncodingBy.GUESSED, (warning,))
    text = data.decode(best.codec, "replace")
    lost = text.count(_LOST)
    losses = (f"As {best.codec} it is damaged in {_places(lost)}.",) if lost else ()
    return Decoded(text, best.codec, EncodingBy.GUESSED, (warning, *losses))


def _places(broken: int) -> str:
    where = "one place, which reads" if broken == 1 else f"{broken:,} places, which read"
    return f"{where} {_LOST}"


def _helpless(found: list[legacy.Guess]) -> str:
    names = list(dict.fromkeys(guess.codec for guess in found if guess.codec != "cp1252"))[:3]
    return (
        "The file is not valid UTF-8; it was read as cp1252, and that looks wrong. Read it again and name"
        f" its encoding, perhaps {', '.join(names[:-1])} or {names[-1]}."
    )


def _western(data: bytes) -> str:
    return codecs.charmap_decode(data, "strict", _CP1252)[0]


def _refuse_binary(text: str) -> None:
    if "\x00" in text:
        raise NotText("The file holds NUL characters, so it is not text.")
    if _full_of_controls(text):
        raise NotText("The file is full of control characters, so it is not text.")


def _full_of_controls(text: str) -> bool:
    """Return whether the text has too many control characters.

    They are counted in the bytes, which is thirty times as fast as character by character.
    """
    controls = others = 0
    for start in range(0, len(text), _CHUNK):
        part = text[start : start + _CHUNK].encode("utf-8", "surrogatepass")
        controls += len(part.translate(None, _NO_CONTROLS))
        if b"\xc2" in part:
            others += len(_C1.findall(part))
        if controls > _MAX_CONTROL_SHARE * len(text) or others > _MAX_C1_SHARE * len(text):
            return True
    return False


def _wounds(text: str, *, whole: bool) -> list[str]:
    """Return warnings for damage that the text had before it came here.

    The damage is reported, not repaired: offsets point into the file. Replacement characters that we inserted
    ourselves (not `whole`) have been reported already.
    """
    if text.isascii():
        return []
    found = []
    lost = text.count(_LOST) if whole else 0
    if lost:
        found.append(f"Letters were lost before the file came here, in {_places(lost)}: get a better copy.")
    garbled = _GARBLED.findall(text) if any(lead in text for lead in _GARBLED_LEADS) else []
    if len(garbled) >= _GARBLED_ENOUGH:
        found.append(
            f"Some letters were garbled before the file came here (“{garbled[0]}” and the like,"
            f" {len(garbled):,} times): get a better copy, or repair it and read it again."
        )
    return found
