"""What an answer says in its own words, in the language that was asked for."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.resources import files

from coref.chinese.lexicon import surname_of
from generation import lexicon
from generation.types import AnswerLanguage
from retrieval.tokenizer import has_han

_NAMES = 10_000
"""Names that are kept with their spelling."""
_CORNERS = str.maketrans("“”‘’", "「」『』")


def phrase(language: AnswerLanguage, key: str, **values: object) -> str:
    return _phrases()[key][language].format(**values)


def space(language: AnswerLanguage) -> str:
    """Return what stands between sentences."""
    return "" if language.is_chinese else " "


def in_marks(said: str, language: AnswerLanguage) -> str:
    """Return a quotation, whose inner marks are single, in the quotation marks of the language."""
    return with_marks(f"“{said}”", language)


def with_marks(text: str, language: AnswerLanguage) -> str:
    """Return a text with the quotation marks of the language in place of English ones."""
    return text.translate(_CORNERS) if language is AnswerLanguage.TRADITIONAL else text


def tie_word(predicate: str, language: AnswerLanguage) -> str | None:
    """Return what a relation is called in the language, or None if there is no word for it."""
    if not language.is_chinese:
        return predicate
    words = lexicon.table("ties_zh").get(predicate)
    return words[-1 if language is AnswerLanguage.TRADITIONAL else 0] if words else None


def spelt(name: str, language: AnswerLanguage) -> str:
    """Return a name so that readers of the language can say it: 刘备 in English is Liu Bei (刘备)."""
    if language.is_chinese or not has_han(name):
        return name
    return f"{romanised(name)} ({name})"


@lru_cache(maxsize=_NAMES)
def romanised(name: str) -> str:
    """Return a Chinese name in Latin letters: Liu Bei for 刘备."""
    from pypinyin import Style, lazy_pinyin

    syllables = lazy_pinyin(name, style=Style.NORMAL)
    first = len(surname_of(name)) or 1
    parts = ("".join(syllables[:first]), "".join(syllables[first:]))
    return " ".join(part.capitalize() for part in parts if part)


@cache
def unsaid() -> frozenset[str]:
    """Return the sentences that say that a book does not answer, in every language."""
    return frozenset(_phrases()["unsaid"].values())


@cache
def _phrases() -> dict[str, dict[str, str]]:
    held: dict[str, dict[str, str]] = json.loads(
        files("generation").joinpath("data/phrases.json").read_text("utf-8")
    )
    return held
