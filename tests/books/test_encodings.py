"""Decoding: every encoding gives either the right letters or a warning."""

from __future__ import annotations

import codecs
import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from books.encodings import Decoded, codec_of, composed, decode
from books.errors import BookwormError, EmptyBook, EncodingUnknown, NotText
from books.types import EncodingBy
from tests.books.passages import PASSAGES

LEGACY = [
    *((name, codec) for name in ("fr", "de", "es", "pt", "sv") for codec in ("cp1252", "mac_roman", "cp850")),
    *((name, "cp1252") for name in ("en", "en-french", "en-scots", "it", "da", "no", "fi", "nl", "ca")),
    *((name, codec) for name in ("pl", "cs") for codec in ("cp1250", "iso8859_2")),
    ("en", "mac_roman"),
    ("tr", "cp1254"),
    *(("ru", codec) for codec in ("cp1251", "koi8_r", "cp866", "iso8859_5")),
    ("uk", "cp1251"),
    ("bg", "cp1251"),
    ("el", "cp1253"),
    ("he", "cp1255"),
    ("ar", "cp1256"),
    ("zh-simplified", "gb18030"),
    ("zh-traditional", "gb18030"),
    ("zh-classical", "gb18030"),
    ("zh-traditional", "cp950"),
    ("zh-classical", "cp950"),
    ("ja", "cp932"),
    ("ja", "euc_jp"),
    ("ko", "cp949"),
]
LENGTHS = (300, 800, 5_000, pytest.param(50_000, marks=pytest.mark.soak))


def passage(name: str, codec: str, length: int) -> str:
    """Return this many characters that the encoding has."""
    text = (PASSAGES[name] + "\n\n") * (length // 100 + 1)
    return text.encode(codec, "ignore").decode(codec)[:length]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(("name", "codec"), LEGACY)
def test_old_encodings_are_told_by_what_they_make_of_the_bytes(name: str, codec: str, length: int) -> None:
    text = passage(name, codec, length)
    decoded = decode(text.encode(codec))
    assert decoded.text == text
    assert decoded.by is EncodingBy.GUESSED
    assert decoded.encoding in "".join(decoded.warnings)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_read_without_a_warning(codec: str) -> None:
    for text in PASSAGES.values():
        decoded = decode(text.encode(codec))
        assert decoded.text == text
        assert decoded.by is (EncodingBy.VALID if codec == "utf-8" else EncodingBy.MARK)
        assert not decoded.warnings


def test_a_letter_and_its_accent_are_one_character() -> None:
    assert decode("Rene\u0301e".encode()).text == "Ren\xe9e"
    assert decode("a >\u0338 b".encode()).text == "a >\u0338 b", "a tag would not end"


def test_accents_in_a_heap_take_time_in_proportion() -> None:
    few, many = ("e" + "\u0316\u0301" * count for count in (1_000, 100_000))
    start = time.process_time()
    assert composed(many) == many
    assert time.process_time() - start < 1
    assert composed(few) == few


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_told_by_its_nul_bytes(codec: str) -> None:
    for text in (f"{passage}\n" for passage in PASSAGES.values()):
        decoded = decode(text.encode(codec))
        assert (decoded.text, decoded.encoding) == (text, codec)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_any_text_with_a_mark_comes_back(codec: str, text: str) -> None:
    data = text.encode(codec)
    if not text.isspace():
        assert decode(data).text == text


@given(st.binary(min_size=1, max_size=400), st.sampled_from([None, "gbk", "x-sjis", "utf-16", "nonsense"]))
def test_any_bytes_are_text_or_refused_by_name(data: bytes, declared: str | None) -> None:
    try:
        decoded = decode(data, declared=declared)
    except (NotText, EmptyBook):
        return
    assert decoded.text.encode("utf-8")
    assert "\r" not in decoded.text
    assert decoded.warnings or decoded.by is not EncodingBy.GUESSED


def test_few_letters_among_much_ascii_are_found_wherever_they_are() -> None:
    plain = "It rained on the harbour, and the boats stayed in.\n" * 4000
    text = plain + "“Yes,” said Ann — and the café shut. Señora Núñez didn’t.\n" + plain
    assert decode(text.encode("cp1252")).text == text
    assert decode(text.encode("mac_roman")).text == text


def test_line_ends_of_old_macs_decide_between_equal_guesses() -> None:
    text = "Sir Wälter Elliot, of Kellynch Hall.\nSir Wälter was vain.\n"
    data = text.encode("mac_roman")
    assert decode(data.replace(b"\n", b"\r")).text == text
    assert decode(data).encoding == "cp850"


def test_bytes_that_cp1252_leaves_empty_do_not_stop_it() -> None:
    decoded = decode(PASSAGES["fr"].encode("cp1252", "ignore") + b" \x81 ")
    assert decoded.encoding == "cp1252"
    assert decoded.text.startswith("Longtemps")


def test_what_fits_nothing_is_told_with_encodings_to_try() -> None:
    decoded = decode(PASSAGES["en"].encode("ascii", "ignore") + bytes(range(0xA0, 0x100)) * 9)
    assert decoded.encoding == "cp1252"
    assert any("looks wrong" in warning and "perhaps" in warning for warning in decoded.warnings)


@pytest.mark.parametrize("broken", [b"\xff", b"\xe4\xb8", b"\x92"])
def test_utf_8_that_was_damaged_in_a_place_is_still_utf_8(broken: bytes) -> None:
    data = PASSAGES["fr"].encode()
    decoded = decode(data[:100] + b" " + broken + b" " + data[100:])
    assert decoded.encoding == "utf-8"
    assert decoded.text.count("\ufffd") == 1
    assert "one place" in decoded.warnings[0]


def test_utf_8_that_was_cut_within_a_character_is_still_utf_8() -> None:
    decoded = decode(PASSAGES["zh-simplified"].encode()[:-1])
    assert decoded.encoding == "utf-8"
    assert decoded.text[:-1] == PASSAGES["zh-simplified"][:-1]


def test_pieces_in_two_encodings_are_told() -> None:
    whole, pasted = PASSAGES["fr"].encode(), PASSAGES["en"].encode("cp1252")
    for data in (whole * 5 + pasted, whole + pasted * 20):
        warnings = " ".join(decode(data).warnings)
        assert "damaged" in warnings or "garbled" in warnings


def test_damage_in_a_legacy_file_is_counted() -> None:
    data = PASSAGES["zh-simplified"].encode("gb18030")
    decoded = decode(data + b"\n\xff\xff\n")
    assert decoded.encoding == "gb18030"
    assert any("2 places" in warning for warning in decoded.warnings)


@pytest.mark.parametrize(("name", "wrong"), [("en", "cp1252"), ("fr", "latin-1"), ("ru", "cp1252")])
def test_text_that_was_garbled_before_is_told_and_not_mended(name: str, wrong: str) -> None:
    garbled = "".join(_misread(c, wrong) for c in PASSAGES[name])
    decoded = decode(garbled.encode())
    assert decoded.text == garbled
    assert any("garbled" in warning for warning in decoded.warnings)


def _misread(character: str, wrong: str) -> str:
    return "".join(bytes([b]).decode(wrong, "ignore") or chr(b) for b in character.encode())


def test_letters_that_were_lost_before_are_counted() -> None:
    decoded = decode("Ren\ufffde and Zo\ufffd".encode())
    assert any("2 places" in warning for warning in decoded.warnings)


@pytest.mark.parametrize(
    ("declared", "name", "codec", "expected"),
    [
        ("ISO-8859-1", "en", "cp1252", "cp1252"),
        (" 'latin1' ", "fr", "cp1252", "cp1252"),
        ("gb2312", "zh-traditional", "gb18030", "gb18030"),
        ("x-sjis", "ja", "cp932", "cp932"),
        ("big5", "zh-traditional", "cp950", "cp950"),
        ("ks_c_5601-1987", "ko", "cp949", "cp949"),
        ("windows-1250", "hu", "cp1250", "cp1250"),
        ("iso-8859-7", "el", "iso8859_7", "iso8859-7"),
    ],
)
def test_what_the_file_declares_is_believed_if_it_fits(
    declared: str, name: str, codec: str, expected: str
) -> None:
    text = passage(name, codec, 1000)
    decoded = decode(text.encode(codec), declared=declared)
    assert (decoded.text, decoded.encoding, decoded.by) == (text, expected, EncodingBy.DECLARED)


@pytest.mark.parametrize("declared", ["iso-8859-1", "big5", "utf-8", "cp037", "no-such-thing", ""])
def test_what_the_file_declares_is_not_believed_if_it_does_not_fit(declared: str) -> None:
    decoded = decode(PASSAGES["ru"].encode("cp1251"), declared=declared)
    assert (decoded.text, decoded.by) == (PASSAGES["ru"], EncodingBy.GUESSED)


def test_valid_utf_8_wins_over_what_the_file_declares() -> None:
    assert decode(PASSAGES["fr"].encode(), declared="windows-1252").text == PASSAGES["fr"]


def test_a_label_means_what_browsers_mean_by_it() -> None:
    assert codec_of("ISO-8859-1") == codec_of("us-ascii") == "cp1252"
    assert codec_of("GB2312") == "gb18030"
    assert codec_of("rot13") is None
    assert codec_of("utf-7") is None


@pytest.mark.parametrize("order", ["cp1251", "KOI8-R", "gbk", "utf-8"])
def test_the_order_of_the_uploader_wins(order: str) -> None:
    data = PASSAGES["zh-simplified"].encode("gbk") if order == "gbk" else "Привет".encode(order)
    decoded = decode(data, order=order, declared="utf-16")
    assert decoded == Decoded(data.decode(order), codecs.lookup(order).name, EncodingBy.GIVEN)


def test_an_order_that_fits_a_mark_takes_the_mark_off() -> None:
    assert decode("Rain".encode("utf-8-sig"), order="utf-8").text == "Rain"


@pytest.mark.parametrize(
    "order",
    ["rot13", "base64", "hex", "idna", "punycode", "utf-7", "unicode_escape", "zip", "x\0y", "none", ""],
)
def test_an_order_that_is_no_encoding_of_books_is_refused(order: str) -> None:
    with pytest.raises(EncodingUnknown):
        decode(b"Rain.", order=order)


def test_an_order_that_does_not_fit_is_refused_with_the_place() -> None:
    with pytest.raises(NotText, match="byte 4"):
        decode(b"Rain\xff", order="utf-8")


def test_nothing_is_changed_but_line_ends() -> None:
    text = "\fOne\x85two\u2028three\v\u2029 four\ufeff\t\x1a"
    assert decode(text.encode()).text == text
    assert decode(b"a\r\nb\rc\n\r\n\rd").text == "a\nb\nc\n\n\nd"


@pytest.mark.parametrize(
    "data",
    [
        b"Rain\x00.",
        b"It rained on the harbour. " * 40 + b"\x00\x00",
        "Rain\x00.".encode("utf-16"),
        b"\xef\xbb\xbfRain\x00.",
        bytes(range(256)) * 20,
        b"\x7fELF" + bytes(range(1, 200)) * 50,
        "\x90\x91".encode() * 50,
        b"\xff\xfeA\xd8",
    ],
)
def test_what_is_not_text_is_refused(data: bytes) -> None:
    with pytest.raises(NotText):
        decode(data)


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf", b" \r\n\t", "\u3000\n".encode(), b"\xff\xfe"])
def test_nothing_but_space_is_empty(data: bytes) -> None:
    with pytest.raises(EmptyBook):
        decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b"Rain. " * 1_400_000,
        b"\xff" * 8_000_000,
        b"\x81\n" * 4_000_000,
        ("é" * 12).encode() + b"\xff" * 8_000_000,
    ],
    ids=["ascii", "ff", "undefined", "broken"],
)
def test_eight_megabytes_of_anything_take_about_a_second(data: bytes) -> None:
    started = time.process_time()
    with contextlib.suppress(BookwormError):
        decode(data)
    assert time.process_time() - started < 2
