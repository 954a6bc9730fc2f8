"""The templates of a language model's prompts, as files that anyone may replace.

Each piece is one file with `$placeholders` as in `string.Template` (`$$` for a dollar). A folder may replace
any piece with a file of the same name. Its files are checked when they are loaded, so that a mistake is found
before the first answer is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template

from generation.errors import TemplatesInvalid
from generation.models.types import TemplateSet
from generation.types import AnswerLanguage

VERSION = 3
"""Part of the hash: another version builds other messages from the same texts."""
SUFFIX = ".txt"
CHINESE = "bookworm-zh"
"""The folder of the templates of Chinese answers."""
MARKS = ("<book>", "</book>")
"""Lines that enclose the book's text. A text from a book can't contain them."""


class TemplatePiece(StrEnum):
    SYSTEM = "system"
    MESSAGE = "message"
    """The order of the other pieces in the message after `system`."""
    LINE = "line"
    """One passage."""
    NOTES = "notes"
    PASSAGES = "passages"
    SUMMARY = "summary"
    NOTHING = "nothing"
    PARTS = "parts"
    CAST = "cast"
    DESCRIPTION = "description"
    ANALYSIS = "analysis"
    JOINT = "joint"
    STRETCH = "stretch"
    ANALYSIS_STRETCH = "analysis-stretch"
    """Asks for an analysis of one stretch, instead of a description."""
    PART = "part"
    """The text about one stretch among the others."""
    DESCRIPTION_MERGE = "description-merge"
    """Asks for one description, from the texts about stretches. It replaces the task and `parts`."""
    ANALYSIS_MERGE = "analysis-merge"
    BEFORE = "before"
    """A summary of what comes before the material."""
    CHUNK = "chunk"
    MERGE = "merge"
    UPDATE = "update"
    COMPRESS = "compress"
    CLEAN = "clean"
    STORY = "story"
    RECAP = "recap"
    QUESTION = "question"


_SLOTS: Mapping[TemplatePiece, tuple[str, str]] = {
    TemplatePiece.SYSTEM: ("", "title"),
    TemplatePiece.MESSAGE: ("material task", "notes cast"),
    TemplatePiece.LINE: ("text", "number chapter speaking"),
    TemplatePiece.NOTES: ("notes", "name title"),
    TemplatePiece.PASSAGES: ("passages", "title"),
    TemplatePiece.SUMMARY: ("summary", "title"),
    TemplatePiece.NOTHING: ("title", ""),
    TemplatePiece.PARTS: ("parts", "title"),
    TemplatePiece.CAST: ("", "cast names title"),
    TemplatePiece.DESCRIPTION: ("name words", "called title"),
    TemplatePiece.ANALYSIS: ("name words", "called title"),
    TemplatePiece.JOINT: ("names words", "called count list title"),
    TemplatePiece.STRETCH: ("name words", "called title"),
    TemplatePiece.ANALYSIS_STRETCH: ("name words", "called title"),
    TemplatePiece.PART: ("text", "number title"),
    TemplatePiece.DESCRIPTION_MERGE: ("name parts words", "called title"),
    TemplatePiece.ANALYSIS_MERGE: ("name parts words", "called title"),
    TemplatePiece.BEFORE: ("before", "title"),
    TemplatePiece.CHUNK: ("words", "title"),
    TemplatePiece.MERGE: ("words", "title"),
    TemplatePiece.UPDATE: ("words", "title"),
    TemplatePiece.COMPRESS: ("words", "title"),
    TemplatePiece.CLEAN: ("", "words title"),
    TemplatePiece.STORY: ("words scope", "title"),
    TemplatePiece.RECAP: ("words", "scope title"),
    TemplatePiece.QUESTION: ("question words", "unsaid title"),
}
"""The placeholders that each piece needs, and those that it may have besides."""
OPTIONAL = (
    TemplatePiece.ANALYSIS_STRETCH,
    TemplatePiece.PART,
    TemplatePiece.DESCRIPTION_MERGE,
    TemplatePiece.ANALYSIS_MERGE,
)
"""Pieces that a set need not have: it then merges with `stretch`, `parts` and the task's own piece."""
_ENCLOSED = (
    TemplatePiece.PASSAGES,
    TemplatePiece.SUMMARY,
    TemplatePiece.PARTS,
    TemplatePiece.DESCRIPTION_MERGE,
    TemplatePiece.ANALYSIS_MERGE,
    TemplatePiece.NOTES,
    TemplatePiece.BEFORE,
)
"""Pieces that contain text of the book and must enclose it."""


@dataclass(frozen=True, slots=True)
class Templates:
    pieces: Mapping[TemplatePiece, str]
    chinese: Mapping[TemplatePiece, str]
    simple: Mapping[TemplatePiece, str]
    """For summaries by small models."""
    always_simple: bool = False

    @classmethod
    def load(cls, folder: Path | None = None, shipped: TemplateSet = TemplateSet.BOOKWORM) -> Templates:
        """Return a set, replaced by what `folder` has, and its folder `zh` for Chinese answers."""
        own = {} if folder is None else dict(_read(folder))
        in_chinese = folder and folder / AnswerLanguage.CHINESE
        chinese = dict(_read(in_chinese)) if in_chinese and in_chinese.is_dir() else {}
        always = shipped is TemplateSet.SIMPLE
        usual, simple = _shipped(TemplateSet.BOOKWORM if always else shipped), _shipped(TemplateSet.SIMPLE)
        return cls({**usual, **own}, {**_shipped(CHINESE), **chinese}, {**simple, **own}, always)

    @property
    def hash(self) -> str:
        """Hash of all the texts. It changes with any letter."""
        hashed = hashlib.sha256()
        for pieces in (self.pieces, self.chinese, self.simple):
            for piece in sorted(pieces):
                hashed.update(f"{piece}\0{pieces[piece]}\0".encode())
        return f"{VERSION}{'-simple' if self.always_simple else ''}/{hashed.hexdigest()[:16]}"

    def said_in(self, language: AnswerLanguage) -> Templates:
        """Return the templates of answers in a language."""
        return self if language is AnswerLanguage.ENGLISH else replace(self, pieces=self.chinese)

    def simply(self) -> Templates:
        """Return the templates of summaries by small models."""
        return replace(self, pieces=self.simple)

    @property
    def numbered(self) -> bool:
        """Whether passages are shown with their numbers, so that an answer can cite them."""
        return "$number" in self.pieces[TemplatePiece.LINE]

    def fill(self, piece: TemplatePiece, values: Mapping[str, str]) -> str:
        return Template(self.pieces[piece]).substitute(values)


@cache
def _shipped(wanted: str) -> Mapping[TemplatePiece, str]:
    """Return a set. Pieces that it does not have are those of the first: no paper's prompts tell a story."""
    home = files("generation.writing").joinpath("templates")
    homes = [home.joinpath(name) for name in (wanted, TemplateSet.BOOKWORM)]
    found = {}
    for piece in TemplatePiece:
        paths = [path for home in homes if (path := home.joinpath(f"{piece}{SUFFIX}")).is_file()]
        if paths or piece not in OPTIONAL:
            found[piece] = paths[0].read_text("utf-8").strip()
    return found


def _read(folder: Path) -> Iterator[tuple[TemplatePiece, str]]:
    if not folder.is_dir():
        raise TemplatesInvalid(f"There is no folder of templates at {folder}.")
    found = sorted(path for path in folder.glob(f"*{SUFFIX}") if path.is_file())
    if not found and not (folder / AnswerLanguage.CHINESE).is_dir():
        raise TemplatesInvalid(f"The folder {folder} contains no template, such as description{SUFFIX}.")
    for path in found:
        if path.stem not in list(TemplatePiece):
            known = ", ".join(TemplatePiece)
            raise TemplatesInvalid(f"No template is called “{path.stem}”; the known ones: {known}.")
        piece = TemplatePiece(path.stem)
        yield piece, _checked(piece, path)


def _checked(piece: TemplatePiece, path: Path) -> str:
    try:
        text = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise TemplatesInvalid(f"The template {path.name} can't be read as UTF-8.") from error
    template = Template(text)
    if not template.is_valid():
        raise TemplatesInvalid(f"The template {path.name} has a “$” without a placeholder; write “$$”.")
    has = set(template.get_identifiers())
    needed, more = (set(names.split()) for names in _SLOTS[piece])
    if missing := sorted(needed - has):
        raise TemplatesInvalid(f"The template {path.name} lacks ${', $'.join(missing)}.")
    if unknown := sorted(has - needed - more):
        raise TemplatesInvalid(f"The template {path.name} has unknown placeholders: ${', $'.join(unknown)}.")
    if piece in _ENCLOSED and not all(mark in text for mark in MARKS):
        raise TemplatesInvalid(
            f"The template {path.name} must enclose the book's text in {' and '.join(MARKS)}."
        )
    if not text:
        raise TemplatesInvalid(f"The template {path.name} is empty.")
    return text
