"""What a book says of one character, weighed and ranked, each thing with the sentences it rests on.

Nothing in it is worded. Characters go by their ids, verbs by their place in the book's parse.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from coref.types import Tense
from generation.types import Citation

Citations = tuple[Citation, ...]
"""In story order."""


class TieKind(StrEnum):
    KIN = "kin"
    SOCIAL = "social"


@dataclass(frozen=True, slots=True)
class Tie:
    """The character is the `term` of the other: their `sister`, their `housekeeper`."""

    kind: TieKind
    term: str
    """The plainest word for it, of the character's gender: `mother`, never `mamma` or `parent`."""
    other: str | None
    """The id of whom the tie is with; None where they are nobody in the cast."""
    other_name: str | None
    """What they are called then: `the late Mr. Darcy`. Exactly one of the two is there."""
    citations: Citations
    votes: float
    """Sightings, each weighed by how plainly it says so."""
    confidence: float
    """0 to 1: how sure it is; what is not sure is left out."""
    qualifier: str | None = None
    """`eldest`, `intimate`, `late`: what the book itself puts before the term."""
    inferred: bool = False
    """It follows from other ties, and no sentence says it in so many words."""


@dataclass(frozen=True, slots=True)
class Role:
    """What somebody is in the world of the book."""

    phrase: str
    """Without article, as the book has it: `housekeeper at Pemberley`."""
    head: str
    """The noun that says it: `housekeeper`."""
    citations: Citations
    votes: float
    unique: bool = False
    """Whether the book says `the`: there is but one."""
    called: bool = False
    """The book calls them so again and again, and never says that they are it."""
    speaker: str | None = None
    """Who says so, where the story itself does not."""


class Aspect(StrEnum):
    NATURE = "nature"
    LOOKS = "looks"
    AGE = "age"
    CONDITION = "condition"
    """Rich, widowed, blind: how somebody is placed in life."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What somebody is like. What is denied, or only possible, is never one."""

    text: str
    """As the book has it, in small letters, without article: `very proud`, `great talker`."""
    lemma: str
    noun: bool
    """A noun phrase, that takes an article: `a great talker`."""
    aspect: Aspect
    speaker: str | None
    """None: the story itself says so. Else who does, or `UNKNOWN`."""
    citations: Citations
    weight: float
    """How much it sets them apart, and how plainly it is said; the most telling come first."""
    count: int = 1
    """In how many places it is said."""


UNKNOWN = ""
"""The id of a speaker of whom only that is known: somebody said it."""


class DeedKind(StrEnum):
    DEED = "deed"
    MIND = "mind"
    """Feels, thinks, wants, knows."""
    SPEECH = "speech"
    """Tells, promises, refuses: what somebody does by speaking."""
    UNDERGONE = "undergone"


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that the character does, feels, says or has done to them, in one place."""

    word: int
    """The verb's number in the parse."""
    lemma: str
    """With its particle: `run away`."""
    kind: DeedKind
    subject: str | None
    """Who does it; somebody else, or nobody known, where it is undergone."""
    others: tuple[str, ...]
    """The rest of the cast who are part of it, in order."""
    chapter: int
    """Counted from 0, as in `Citation`."""
    citation: Citation
    weight: float
    """How much a reader would want to be told of it."""
    tense: Tense | None = None
    negated: bool = False
    modal: str | None = None
    quoted: bool = False
    """Somebody tells it."""
    speaker: str | None = None
    """Who tells it, where it is quoted and known."""
    event: bool = False
    """The parser, too, takes it for something that happened."""
    main: bool = True
    """The main clause of its sentence, or joined to it."""


@dataclass(frozen=True, slots=True)
class Company:
    """Somebody with whom the character has to do."""

    other: str
    together: int
    """Paragraphs that have both."""
    deeds: int
    """Deeds that one does to or with the other."""
    spoken: int
    """Quotes that one says to the other."""
    chapters: tuple[int, ...]
    """Where they meet, counted from 0."""
    weight: float


@dataclass(frozen=True, slots=True)
class Presence:
    chapters: tuple[int, ...]
    """Where the character is mentioned, counted from 0."""
    by_chapter: tuple[int, ...]
    """Mentions in each of `chapters`."""
    first: Citation
    """The first sentence that has them by name."""
    last: Citation
    share: float
    """Of the book's chapters so far."""
    rank: int
    """Place in the cast by mentions, from 1."""


@dataclass(frozen=True, slots=True)
class Part:
    """The first or the last third of the book, as far as it is told."""

    chapters: tuple[int, ...]
    mentions: int
    company: tuple[Company, ...]
    names: tuple[str, ...]
    """What they are called there and not in the other part: a married name."""
    qualities: tuple[Quality, ...]
    """Said there and not in the other part."""
    deeds: tuple[Deed, ...]
    """The weightiest there."""


@dataclass(frozen=True, slots=True)
class Change:
    early: Part
    late: Part
    new_names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A name that comes into use after the first third: `Mrs. Collins`."""

    text: str
    citation: Citation
    count: int


@dataclass(frozen=True, slots=True)
class Speech:
    quotes: int
    words: int
    share: float
    """Of all words that are spoken in the book."""
    listeners: tuple[tuple[str, int], ...]
    """Ids, and how many quotes are said to them; most first."""
    words_of_theirs: tuple[str, ...]
    """Lemmas that they say more than others do, most telling first."""
    longest: Citation | None = None


@dataclass(frozen=True, slots=True)
class Dossier:
    """Everything is as far as the gate lets it be known; the most telling first, deeds in story order."""

    character: str
    ties: tuple[Tie, ...]
    roles: tuple[Role, ...]
    qualities: tuple[Quality, ...]
    deeds: tuple[Deed, ...]
    company: tuple[Company, ...]
    presence: Presence
    change: Change | None
    """None where there is too little of the book, or of them, to compare."""
    speech: Speech
    narrates: bool = False
