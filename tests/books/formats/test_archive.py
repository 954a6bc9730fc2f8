"""Archives: the content is read, every defect has an error code, and nothing unpacks past its limit."""

from __future__ import annotations

import struct
import zipfile
from io import BytesIO

import pytest

from books.errors import BookTooLarge, BookwormError, FileDamaged, FileHostile, FileLocked
from books.formats.archive import open_archive
from books.limits import MIB, Limits
from tests.books.formats.making import zipped

LIMITS = Limits()
TEXT = "It rained on the harbour. " * 400


def test_names_and_contents() -> None:
    archive = open_archive(zipped({"a.txt": "one", "d/": "", "d/b.txt": "two"}), LIMITS)
    assert archive.names == ("a.txt", "d/b.txt")
    assert archive.read("d/b.txt") == b"two"
    assert archive.find("D/B.TXT") == "d/b.txt"
    assert archive.find("c") is None
    with pytest.raises(FileDamaged, match="missing"):
        archive.read("c")


def test_a_file_cut_short_is_called_so_whatever_it_is() -> None:
    with pytest.raises(FileDamaged, match="The file is cut short") as caught:
        open_archive(zipped({"word/document.xml": TEXT})[:100], LIMITS)
    assert "another program" in caught.value.advice


@pytest.mark.parametrize(
    "name", ["../a", "a/../../b", "/etc/passwd", "C:/x", "c:x", "a\\b", "..", "a/b/.."], ids=repr
)
def test_a_path_that_leads_out_is_refused(name: str) -> None:
    with pytest.raises(FileHostile):
        open_archive(zipped({"a.txt": "one", name: "two"}), LIMITS)


def test_names_that_only_look_odd_are_fine() -> None:
    names = ("a..b.txt", "...", "a b/ü—漢.txt", "%2e%2e/x")
    assert open_archive(zipped(dict.fromkeys(names, "x")), LIMITS).names == names


def test_a_name_in_utf8_that_does_not_say_so() -> None:
    data = zipped({"kapitel-ä.txt": "x"})
    assert open_archive(data.replace(b"\x00\x08", b"\x00\x00"), LIMITS).names == ("kapitel-ä.txt",)


def test_a_symbolic_link_is_refused() -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr(link, "/etc/passwd")
    with pytest.raises(FileHostile, match="not a regular file"):
        open_archive(buffer.getvalue(), LIMITS)


def test_an_encrypted_entry_is_locked() -> None:
    data = bytearray(zipped({"a.txt": TEXT}))
    directory = data.index(b"PK\x01\x02")
    data[directory + 8] |= 1
    with pytest.raises(FileLocked):
        open_archive(bytes(data), LIMITS)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_are_refused() -> None:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("a", "1")
        file.writestr("a", "2")
    with pytest.raises(FileHostile, match="two files"):
        open_archive(buffer.getvalue(), LIMITS)


def test_entries_that_share_their_bytes_are_refused() -> None:
    data = bytearray(zipped({"a": TEXT, "b": TEXT}))
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<I", 1)
    with pytest.raises(FileHostile, match="overlap"):
        open_archive(bytes(data), LIMITS)


def test_too_many_entries_are_refused_whatever_the_end_record_says() -> None:
    data = bytearray(zipped({f"f{n}": "" for n in range(30)}))
    end = data.rindex(b"PK\x05\x06")
    data[end + 8 : end + 12] = struct.pack("<HH", 1, 1)
    with pytest.raises(FileHostile, match="more than 20"):
        open_archive(bytes(data), Limits(entries=20))
    assert len(open_archive(bytes(data), Limits(entries=30)).names) == 30


def test_what_unpacks_to_a_thousand_times_its_size_is_refused() -> None:
    bomb = zipped({"a": b"\x00" * (4 * MIB)})
    with pytest.raises(FileHostile, match="thousand times"):
        open_archive(bomb, Limits(ratio=100)).read("a")


def test_the_limit_counts_all_entries_together_and_only_those_that_are_read() -> None:
    limits = Limits(unpacked=len(TEXT) * 2)
    archive = open_archive(zipped(dict.fromkeys("abc", TEXT)), limits)
    assert archive.read("a") == archive.read("b") == TEXT.encode()
    with pytest.raises(BookTooLarge):
        archive.read("c")


@pytest.mark.parametrize("declared", [1, 10_000_000], ids=["too small", "too large"])
def test_a_declared_size_that_lies_is_never_believed(declared: int) -> None:
    data = bytearray(zipped({"a": TEXT}))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(signature) + offset
        data[at : at + 4] = struct.pack("<I", declared)
    with pytest.raises(FileDamaged):
        open_archive(bytes(data), LIMITS).read("a")


def test_a_wrong_checksum_and_an_unknown_way_of_packing_are_damage() -> None:
    whole = zipped({"a": TEXT})
    wrong = bytearray(whole)
    wrong[whole.index(b"PK\x01\x02") + 16] ^= 0xFF
    with pytest.raises(FileDamaged):
        open_archive(bytes(wrong), LIMITS).read("a")
    odd = bytearray(whole)
    odd[whole.index(b"PK\x01\x02") + 10] = 99
    with pytest.raises(FileDamaged, match="compressed with a method"):
        open_archive(bytes(odd), LIMITS)


def test_an_archive_cut_anywhere_is_an_error_of_ours() -> None:
    whole = zipped({"a": TEXT, "b": TEXT})
    for end in range(0, len(whole)):
        with pytest.raises(BookwormError):
            open_archive(whole[:end], LIMITS).read("a")


def test_any_byte_changed_gives_the_content_or_an_error_of_ours() -> None:
    whole = zipped({"a": TEXT, "b": "rain"})
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 0xA5
        try:
            archive = open_archive(bytes(changed), LIMITS)
            contents = [archive.read(name) for name in archive.names]
        except BookwormError:
            continue
        assert set(contents) <= {TEXT.encode(), b"rain"}
