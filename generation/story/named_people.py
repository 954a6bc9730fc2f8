"""Find the characters named in a generated text by the names that the book uses, longest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property

from books.types import Span
from coref.census import NARRATOR
from coref.chinese.lexicon import relatives
from coref.types import Character
from generation.phrases import romanised
from generation.types import NamedSpan
from retrieval.asking.chapters import without_chapters
from retrieval.asking.kinds import QuestionKind, kind_of
from retrieval.sentences import split
from retrieval.tokenizer import has_han, simplified, terms

_SUBJECTS = {"he": "he/him", "she": "she/her", "they": "they/them", "it": "it/its"}
_OBJECTS = {"him": "he/him", "her": "she/her", "them": "they/them"}
_POSSESSORS = {"his": "he/him", "her": "she/her", "their": "they/them", "its": "it/its"}
_SURNAME = re.compile(r" (?P<name>[A-Z][\w-]+)")
_NARRATOR = frozenset(terms(NARRATOR))
_WHO = frozenset("谁")
"""What asks for a person, if it is not among the small words of the language."""
_BETWEEN_NAMES = frozenset(("and", "the"))
"""Function words of a question that is only names, as “Ann and the doctor”, beside those of the names."""
_HOW_OFTEN = frozenset(terms("often many times chapters paragraphs appear mentioned named meet together"))
"""What a question asks with that is answered by a count of mentions."""
_HOW_OFTEN_IN_CHINESE = "多少次 几次 一起出现 提到"
_WHAT_HAPPENS = "发生了什么事情 讲了什么故事 主要内容是什么 情节 概括 总结"
"""What a Chinese question asks with that a summary answers. Others are known by their kind."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
PRONOUN = re.compile(r"\b(he|she|they|him|her|them|his|their)\b", re.IGNORECASE)


def terms_of_names(text: str) -> Iterator[str]:
    """Yield the terms of the names in a text: the words with a capital that do not begin a sentence."""
    for sentence in split(text):
        for word in _WORD.findall(sentence.of(text))[1:]:
            if word[0].isupper():
                yield from terms(word)


class Names:
    """The names of a cast. A name that two characters share means the one with more mentions.

    `described`: also what the book calls somebody in small letters more than once, as “the old man”.
    `narrator`: the id of the one who is also called “the narrator”.
    """

    def __init__(
        self, characters: tuple[Character, ...], *, described: bool = False, narrator: str | None = None
    ) -> None:
        self._characters = characters
        self._described = described
        self._narrator = narrator

    @cached_property
    def owners(self) -> dict[str, Character]:
        owners: dict[str, Character] = {}
        for character in self._characters:
            used = {character.name: 1} | {a.text: a.count for a in character.aliases}
            for text, count in used.items():
                described = self._described and count > 1 and is_description(text)
                if text[:1].isupper() or _is_chinese(text) or described:
                    owners.setdefault(text, character)
        for character in self._characters:
            owners[character.name] = character
            owners[character.name[:1].upper() + character.name[1:]] = character
            if character.id == self._narrator:
                owners.setdefault(NARRATOR, character)
        for name in [name for name in owners if _is_chinese(name)]:
            owners.setdefault(romanised(name), owners[name])
            owners.setdefault(simplified(name), owners[name])
        return owners

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest = sorted(self.owners, key=lambda text: (-len(text), text))
        # Chinese has no spaces: a name stands where its characters stand. 父亲 may be one, 他的父亲 is none.
        chinese = [text for text in longest if _is_chinese(text)]
        parts = (
            ("|".join(re.escape(text) for text in chinese if text not in relatives()), "{}"),
            ("|".join(re.escape(text) for text in chinese if text in relatives()), "(?<!的){}"),
            (
                "|".join(re.escape(t).replace(r"\ ", r"\s+") for t in longest if not _is_chinese(t)),
                r"(?<![\w]){}(?![\w])",
            ),
        )
        return re.compile("|".join(form.format(f"(?:{names})") for names, form in parts if names) or r"(?!)")

    def find(self, text: str) -> tuple[NamedSpan, ...]:
        found: list[NamedSpan] = []
        for match in self._pattern.finditer(simplified(text)):
            if not found or found[-1].span.end <= match.start():
                owner = self.owners[" ".join(match.group().split())]
                found.append(NamedSpan(Span(match.start(), self._end(text, match.end(), owner)), owner.id))
        return tuple(found)

    def people_in(self, text: str, about: Character | None) -> tuple[NamedSpan, ...]:
        """Return whom a text about somebody names, and the pronouns that may mean them."""
        named = self.find(text)
        meant = pronouns_for(text, about) if about is not None else ()
        free = (p for p in meant if not any(n.span.overlaps(p.span) for n in named))
        return tuple(sorted((*named, *free), key=lambda n: n.span))

    def _end(self, text: str, end: int, owner: Character) -> int:
        """Extend a name: "Bess Farrow" is one name even if the book only has "Bess" and "Miss Farrow"."""
        following = _SURNAME.match(text, end)
        known = {word for name in (owner.name, *(a.text for a in owner.aliases)) for word in name.split()}
        return following.end() if following and following["name"] in known else end


def is_description(name: str) -> bool:
    """Whether a name is one like “the old man”, which may mean somebody else in another chapter."""
    return name.startswith("the ")


def _is_chinese(text: str) -> bool:
    """Whether a text is a Chinese name of more than one character: one character may be any word."""
    return len(text) > 1 and has_han(text)


def agrees(pronoun: str, character: Character) -> bool:
    """Whether a pronoun may refer to a character. Any may if the character's pronouns are unknown."""
    low = pronoun.lower().removesuffix("self")
    kinds = {_SUBJECTS.get(low), _OBJECTS.get(low), _POSSESSORS.get(low)} - {None}
    return character.pronouns is None or character.pronouns in kinds


def pronouns_for(text: str, person: Character) -> Iterator[NamedSpan]:
    """Yield the pronouns of a text that may mean somebody."""
    for match in PRONOUN.finditer(text):
        if agrees(match.group(), person):
            yield NamedSpan(Span(*match.span()), person.id)


def asks_who(question: str, people: Sequence[Character]) -> bool:
    """Whether a question asks who these people are: “Who is Ann?”, or only their names.

    “Who is she?” asks it of those of the question before; “And why?” does not, nor do “Where is Ann?” and
    “What does Ann do in chapter 3?”
    """
    bare = without_chapters(question)
    asked = set(terms(bare)) - _WHO
    if not people or _besides_names(asked, people) - _NARRATOR:
        return False
    small = {word.casefold() for word in _WORD.findall(bare) if not terms(word)}
    named_only = bool(asked) and bare == question and _besides_names(small, people) <= _BETWEEN_NAMES
    return named_only or any(word.startswith("who") for word in small)


def asks_how_often(question: str, people: Sequence[Character]) -> bool:
    """Whether a question asks how often these people are mentioned, and not how many brothers they have."""
    asking = _HOW_OFTEN | _chinese_terms(_HOW_OFTEN_IN_CHINESE) if has_han(question) else _HOW_OFTEN
    return _besides_names(set(terms(question)), people) <= asking


def asks_what_happens(question: str) -> bool:
    """Whether a question asks what happens in general, or asks nothing beside the chapters it named."""
    if has_han(question):
        return set(terms(question)) <= _chinese_terms(_WHAT_HAPPENS)
    return not question.strip(" ?.!") or kind_of(question) is QuestionKind.STORY


@cache
def _chinese_terms(words: str) -> frozenset[str]:
    """Return the terms of Chinese words, once they are asked for: the dictionary takes a second to load."""
    return frozenset(terms(words))


def _besides_names(words: set[str], people: Sequence[Character]) -> set[str]:
    """Return the terms, or the function words in small letters, that are in no name of these people."""
    texts = [alias.text for person in people for alias in person.aliases]
    texts += [romanised(text) for text in texts if has_han(text)]
    return words - {word for text in texts for word in (*terms(text), *_WORD.findall(text.casefold()))}


def possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") and name.split()[-1][0].islower() else f"{name}’s"
