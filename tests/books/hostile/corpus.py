"""The hostile corpus: how each file is built, and its expected outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tests.books.hostile import texts
from tests.books.hostile.archives import ARCHIVES
from tests.books.hostile.markups import MARKUPS

READ = "read"


@dataclass(frozen=True, slots=True)
class Case:
    make: Callable[[], bytes]
    outcome: str
    """`READ`, or the code of the error."""


_TEXTS: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (bytes, "empty_book"),
    "white_space_only": (partial(texts.alone, " \n\t\r\n"), "empty_book"),
    "one_line": (texts.one_line, READ),
    "one_word": (partial(texts.alone, "a"), READ),
    "nul_bytes": (texts.nul_bytes, "not_text"),
    "binary": (texts.binary, "unsupported_format"),
    "noise": (texts.noise, "not_text"),
    "headings_only": (texts.headings_only, READ),
    "numbered_headings_only": (texts.numbered_headings_only, READ),
    "digits": (texts.digits, READ),
    "labels": (texts.labels, READ),
    "speeches": (texts.speeches, READ),
    "blank_lines": (texts.blank_lines, READ),
    "zalgo": (texts.zalgo, READ),
    "right_to_left": (texts.right_to_left, READ),
    "surrogates": (texts.surrogates, READ),
    "utf16_without_mark": (texts.utf16_without_mark, READ),
    "utf16_cut": (texts.utf16_cut, "not_text"),
    "utf7": (texts.utf7, READ),
    "gzip_bomb": (texts.gzip_bomb, "book_too_large"),
    "gzip_in_gzip": (texts.gzip_in_gzip, "file_hostile"),
    "gzip_cut": (texts.gzip_cut, "not_text"),
    "gzips_in_a_row": (texts.gzips_in_a_row, READ),
}

_ALL: dict[str, tuple[Callable[[], bytes], str]] = {
    **_TEXTS,
    **{
        f"endless_{name}": (partial(texts.over_and_over, piece), READ)
        for name, piece in texts.KILLERS.items()
    },
    **ARCHIVES,
    **MARKUPS,
}
CORPUS = {name: Case(make, outcome) for name, (make, outcome) in _ALL.items()}
