"""Plain text that breaks naive code: endless lines, backtracking in patterns, bytes that are not text."""

from __future__ import annotations

import gzip
import random
import zlib

from tests.books.hostile.carriers import PROSE

MIB = 1 << 20
MOST_LINES = 10_000
STORY = f"Chapter 1\n\n{PROSE}\n\nChapter 2\n\n{PROSE}\n"

KILLERS = {
    "form_feeds": "\f",
    "dashes": "- ",
    "quote_marks": "> ",
    "brackets": "[",
    "underscores": "_",
    "bullets": "* ",
    "asterisks": "*",
    "dots": ". ",
    "rules": "***\n",
    "spaces": " ",
    "tabs": "\t\n",
    "openings": "“",
    "quotes": '"',
    "capitals": "A ",
    "backticks": "`",
    "parentheses": "(a",
    "tags": "<a ",
    "angles": "<",
    "hashes": "# ",
    "pipes": "| ",
    "entities": "&amp",
    "romans": "I",
    "numbered": "1.\n",
    "braces": "{",
    "illustrations": "[Illustration: ",
    "notes": "[1] ",
    "page_numbers": "[Pg 12]\n",
    "licence": "*** START OF THE PROJECT GUTENBERG EBOOK ",
    "stars": "***",
    "returns": "\r",
    "chinese_headings": "第一章 ",
    "chapters_on_a_line": "Chapter 1 ",
    "titles_after": "Chapter 1\nA\n\n",
    "acts": "ACT I\n\nSCENE I\n\n",
    "contents": "CONTENTS\n\n",
    "dotted_contents": "Chapter 1 ........ 12\n",
    "letters": "Dear Anne,\n\n",
    "dates": "May 3, 1850\n\n",
    "indented": "    a\n  b\n",
    "pairs": "1\n\n2\n\n",
    "chapter_pairs": "Chapter 1\n\nChapter 2\n\n",
}


def alone(piece: str, size: int = MIB) -> bytes:
    """Repeat one piece: a mebibyte of it, or as many blocks as ten long novels have."""
    encoded = piece.encode()
    most = MOST_LINES if "\n" in piece else size
    return encoded * min(most, size // len(encoded))


def over_and_over(piece: str) -> bytes:
    """A little of a story, then one piece repeated."""
    return PROSE.encode() + b"\n\n" + alone(piece)


def one_line() -> bytes:
    return (PROSE * (10 * MIB // len(PROSE))).encode()


def nul_bytes() -> bytes:
    return STORY.encode().replace(b" ", b"\x00", 40)


def binary() -> bytes:
    return b"\x7fELF\x02\x01\x01" + random.Random(7).randbytes(MIB)


def noise() -> bytes:
    """Bytes of every value but NUL."""
    return bytes(b or 1 for b in random.Random(8).randbytes(MIB))


def headings_only() -> bytes:
    return b"Chapter 1\n\n" * 20_000


def numbered_headings_only() -> bytes:
    return "".join(f"Chapter {n}\n\n" for n in range(1, 20_001)).encode()


def digits() -> bytes:
    return "".join(f"{n}\n\n" for n in range(20_000)).encode()


def labels() -> bytes:
    return b"A.\n" * 20_000


def speeches() -> bytes:
    """A play of twenty thousand speakers."""
    return "".join(f"NAME{n}. Speak.\n\n" for n in range(20_000)).encode()


def blank_lines() -> bytes:
    return STORY.encode() + b"\n" * 1_000_000 + PROSE.encode()


def zalgo() -> bytes:
    return f"Chapter 1\n\n{'Zal' + chr(0x0336) * 200}{PROSE}\n\n{('o' + chr(0x0301) * 50) * 2_000}".encode()


def right_to_left() -> bytes:
    return f"Chapter 1\n\n\u202eeht\u202c \u2067{PROSE}\u2069 \u200f\ufeff\n\nChapter 2\n\n{PROSE}".encode()


def surrogates() -> bytes:
    """As some broken programs write them: U+D800 in three bytes."""
    return STORY.encode().replace(b"harbour", b"har\xed\xa0\x80bour")


def utf16_without_mark() -> bytes:
    return STORY.encode("utf-16-le")


def utf16_cut() -> bytes:
    return STORY.encode("utf-16")[:-1]


def utf7() -> bytes:
    return STORY.replace("harbour", "har\u00e9").encode("utf-7")


def gzip_bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    chunk = b"a" * MIB
    return b"".join([*(packer.compress(chunk) for _ in range(300)), packer.flush()])


def gzip_in_gzip() -> bytes:
    return gzip.compress(gzip.compress(STORY.encode()))


def gzip_cut() -> bytes:
    return gzip.compress(STORY.encode())[:-20]


def gzips_in_a_row() -> bytes:
    return gzip.compress(STORY.encode()) * 3
