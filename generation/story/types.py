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
class CharacterRole:
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


class StrokeKind(StrEnum):
    IS_A = "is a"
    """A tall young man of five-and-twenty."""
    IS = "is"
    """Proud and sardonic."""
    HAS = "has"
    """A pleasant countenance."""
    FEATURE = "feature"
    """Manners that are very formal; with blue eyes."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One stroke of a character's portrait: how somebody looks or is, in a phrase of the book."""

    kind: StrokeKind
    aspect: Aspect
    text: str
    """As the book has it: `a tall young man of five-and-twenty`, `air was grave and stately`."""
    phrase: str
    """How it can be said again, without article: `grave and stately air`."""
    adjectives: tuple[str, ...]
    """Each with its adverb: `very formal`."""
    noun: str | None
    """As it is written, where there is one: `man`, `manners`."""
    counted: bool
    """Whether the phrase takes `a`."""
    speaker: str | None
    """None: the story itself says so, or whoever tells it. Else who does, or `UNKNOWN`."""
    citation: Citation
    weight: float
    denied: bool = False
    """They lack it: `no turn for economy`."""


UNKNOWN = ""
"""The id of a speaker of whom only that is known: somebody said it."""


class Bearing(StrEnum):
    """What somebody feels for somebody, and what comes about between two."""

    LOVE = "love"
    FONDNESS = "fondness"
    DEVOTION = "devotion"
    ADMIRATION = "admiration"
    TRUST = "trust"
    GRATITUDE = "gratitude"
    PITY = "pity"
    JEALOUSY = "jealousy"
    FEAR = "fear"
    DISLIKE = "dislike"
    HATRED = "hatred"
    CONTEMPT = "contempt"
    PROPOSAL = "proposal"
    REFUSAL = "refusal"
    ENGAGEMENT = "engagement"
    ELOPEMENT = "elopement"
    MARRIAGE = "marriage"
    KILLING = "killing"
    SAVING = "saving"
    BETRAYAL = "betrayal"
    FORGIVENESS = "forgiveness"

    @property
    def happens(self) -> bool:
        """Whether it comes about at some time, and is not felt for long."""
        return self in _HAPPENINGS


_HAPPENINGS = frozenset(
    (
        Bearing.PROPOSAL,
        Bearing.REFUSAL,
        Bearing.ENGAGEMENT,
        Bearing.ELOPEMENT,
        Bearing.MARRIAGE,
        Bearing.KILLING,
        Bearing.SAVING,
        Bearing.BETRAYAL,
        Bearing.FORGIVENESS,
    )
)


@dataclass(frozen=True, slots=True)
class Attitude:
    """What the book as a whole bears out of how one stands to another; single sentences are misread."""

    bearing: Bearing
    holder: str
    """Who feels it or does it; of what two do together, the character of the dossier."""
    other: str
    votes: float
    """Places that say so, each weighed by how plainly it does."""
    against: float
    """The same of places that deny it."""
    confidence: float
    """0 to 1; what is not sure is left out."""
    citations: Citations
    chapter: int
    """From which it holds, or in which it comes about; counted from 0."""
    early: bool
    """Whether the first third of the book says so; with `late` it tells what turns."""
    late: bool
    """Whether the last third does."""
    speaker: str | None = None
    """None: the story itself says so. Else the one who does, or `UNKNOWN`."""


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
class StoryPresence:
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
class BookThird:
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
class StoryChange:
    early: BookThird
    late: BookThird
    new_names: tuple[LateName, ...]


@dataclass(frozen=True, slots=True)
class LateName:
    """A name that comes into use after the first third: `Mrs. Collins`."""

    text: str
    citation: Citation
    count: int


@dataclass(frozen=True, slots=True)
class SpeechCounts:
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
    roles: tuple[CharacterRole, ...]
    qualities: tuple[Quality, ...]
    deeds: tuple[Deed, ...]
    company: tuple[Company, ...]
    presence: StoryPresence
    change: StoryChange | None
    """None where there is too little of the book, or of them, to compare."""
    speech: SpeechCounts
    narrates: bool = False
    portrait: tuple[Stroke, ...] = ()
    """What they look and are like in the book's own phrases; the most telling first."""
    attitudes: tuple[Attitude, ...] = ()
    """Their own towards others and those of others towards them, surest first."""
