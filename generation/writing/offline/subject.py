"""A person whom a text is about: what is certain of them, and what may be quoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coref.types import Character
from generation.phrases import phrase, spelt
from generation.story.cast import CastIndex
from generation.story.profile import about, introduction
from generation.story.quotation import Quotation
from generation.story.selection import worth_showing
from generation.story.statements import certain_ties
from generation.story.types import Tie
from generation.types import AnswerLanguage, Context

_CHINESE = {"he/him": "他", "she/her": "她", "it/its": "它"}


@dataclass(frozen=True, slots=True)
class TextSubject:
    character: Character
    ties: tuple[Tie, ...]
    """Certain relations, nearest first."""
    said: tuple[Quotation, ...]
    """Certain quotations about the character or by them that are worth showing, in story order."""
    who: Quotation | None
    """The quotation that says who they are."""
    named: Quotation | None
    """The first sentence that names them, for somebody of whom nothing else is to be quoted."""
    cast: CastIndex
    chapters: int
    """Number of chapters that the reader has reached."""
    whole: bool
    """Whether that is the whole book."""
    narrates: bool
    language: AnswerLanguage = AnswerLanguage.ENGLISH
    """In which the text is written."""

    @classmethod
    def of(
        cls,
        context: Context,
        character: Character,
        said: Sequence[Quotation],
        cast: CastIndex,
        language: AnswerLanguage = AnswerLanguage.ENGLISH,
        named: Quotation | None = None,
    ) -> TextSubject:
        return cls(
            character=character,
            ties=certain_ties(cast, character.id),
            said=tuple(worth_showing(about(said, character))),
            who=introduction(said, character),
            named=named,
            cast=cast,
            chapters=len(context.book.chapters),
            whole=context.upto is None,
            narrates=character.id == context.annotations.narrator,
            language=language,
        )

    @property
    def id(self) -> str:
        return self.character.id

    @property
    def name(self) -> str:
        return spelt(self.character.name, self.language)

    @property
    def told(self) -> list[Quotation]:
        """What the book says of them and they do not say themselves."""
        return [q for q in self.said if not q.own]

    @property
    def she(self) -> str:
        return self._pronoun(0)

    @property
    def her(self) -> str:
        return self._pronoun(1)

    def _pronoun(self, place: int) -> str:
        known = self.character.pronouns or ""
        if self.language.is_chinese:
            return _CHINESE.get(known, self.name)
        return "it" if known == "it/its" else known.split("/")[place] if known else self.name

    def says(self, key: str, **values: object) -> str:
        """Return a phrase in the language of the text."""
        return phrase(self.language, key, **values)

    def name_of(self, who: str) -> str:
        return spelt(self.cast.by_id[who].name, self.language)
