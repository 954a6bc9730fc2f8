"""What a book says about one character, weighed and ranked, each item with its citations.

Nothing here is put into words. Characters are given by id, verbs by their index in the book's parse.
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
    """A relation. If Jane's tie is `sister` with other=Elizabeth, Jane is Elizabeth's sister."""

    kind: TieKind
    term: str
    """The plainest noun for it in the character's gender: `mother`, never `mamma` or `parent`."""
    other: str | None
    """Id of the related character, or None if they are not in the cast."""
    other_name: str | None
    """Their name then: `the late Mr. Darcy`. Exactly one of the two is set."""
    citations: Citations
    votes: float
    """Sum of the mentions, each weighed by how plainly it states the relation."""
    confidence: float
    """Certainty from 0 to 1. Uncertain relations are left out."""
    qualifier: str | None = None
    """`eldest`, `intimate`, `late`: an adjective that the book itself puts before the term."""
    inferred: bool = False
    """Whether it follows from other relations and no sentence states it."""


@dataclass(frozen=True, slots=True)
class CharacterRole:
    """A social or professional role of a character."""

    phrase: str
    """In the book's words, without article: `housekeeper at Pemberley`."""
    head: str
    """The noun of the phrase: `housekeeper`."""
    citations: Citations
    votes: float
    unique: bool = False
    """Whether the book says `the`, so that there is only one."""
    called: bool = False
    """Whether the book only refers to them so, again and again, and never states it."""
    speaker: str | None = None
    """Who states it, if the narration does not."""


class Aspect(StrEnum):
    NATURE = "nature"
    LOOKS = "looks"
    AGE = "age"
    CONDITION = "condition"
    """Position in life: rich, widowed, blind."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What a character is like. It is never something denied or only possible."""

    text: str
    """In the book's words, in lower case, without article: `very proud`, `great talker`."""
    lemma: str
    noun: bool
    """Whether it is a noun phrase that takes an article: `a great talker`."""
    aspect: Aspect
    speaker: str | None
    """Who states it, or `UNKNOWN`; None in the narration."""
    citations: Citations
    weight: float
    """How distinctive it is and how plainly it is stated. The highest come first."""
    count: int = 1
    """Number of places that state it."""


class StrokeKind(StrEnum):
    IS_A = "is a"
    """ "A tall young man of five-and-twenty"."""
    IS = "is"
    """ "Proud and sardonic"."""
    HAS = "has"
    """ "A pleasant countenance"."""
    FEATURE = "feature"
    """ "Manners that are very formal"; "with blue eyes"."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One descriptive phrase of the book: how a character looks or what they are like."""

    kind: StrokeKind
    aspect: Aspect
    text: str
    """In the book's words: `a tall young man of five-and-twenty`, `air was grave and stately`."""
    phrase: str
    """A form that can be reused, without article: `grave and stately air`."""
    adjectives: tuple[str, ...]
    """Each adjective with its adverb: `very formal`."""
    noun: str | None
    """The noun as it is written, if there is one: `man`, `manners`."""
    counted: bool
    """Whether the phrase takes `a`."""
    speaker: str | None
    """Who states it, or `UNKNOWN`; None in the narration or from the narrator."""
    citation: Citation
    weight: float
    denied: bool = False
    """Whether it is something they lack: `no turn for economy`."""


UNKNOWN = ""
"""Id of an unknown speaker."""


class Bearing(StrEnum):
    """The kind of an attitude or of an event between two people."""

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
        """Whether it is an event, and not a lasting feeling."""
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
    """An attitude that the book as a whole supports. Single sentences are too often misread."""

    bearing: Bearing
    holder: str
    """Who feels it or does it. For something two people do together, the character of the dossier."""
    other: str
    votes: float
    """Sum of the places that state it, each weighed by how plainly it does."""
    against: float
    """Sum of the places that deny it, weighed in the same way."""
    confidence: float
    """Certainty from 0 to 1. Uncertain attitudes are left out."""
    citations: Citations
    chapter: int
    """Chapter from which it holds, or in which it happens, counted from 0."""
    early: bool
    """Whether the first third of the book states it. Together with `late` it shows a change."""
    late: bool
    """Whether the last third states it."""
    speaker: str | None = None
    """Who states it, or `UNKNOWN`; None in the narration."""


class DeedKind(StrEnum):
    DEED = "deed"
    MIND = "mind"
    """Feels, thinks, wants, knows."""
    SPEECH = "speech"
    """Something done by speaking: tells, promises, refuses."""
    UNDERGONE = "undergone"


@dataclass(frozen=True, slots=True)
class Deed:
    """One event: something that the character does, feels, says or undergoes in one place."""

    word: int
    """Index of the verb in the parse."""
    lemma: str
    """The lemma with its particle: `run away`."""
    kind: DeedKind
    subject: str | None
    """Who does it. If the character undergoes it, somebody else, or None if unknown."""
    others: tuple[str, ...]
    """Other characters who take part, in order."""
    chapter: int
    """Counted from 0, as in `Citation`."""
    citation: Citation
    weight: float
    """How relevant it is to a reader."""
    tense: Tense | None = None
    negated: bool = False
    modal: str | None = None
    quoted: bool = False
    """Whether a character reports it in direct speech."""
    speaker: str | None = None
    """Who reports it, if it is quoted and the speaker is known."""
    event: bool = False
    """Whether the parser also marks it as an event."""
    main: bool = True
    """Whether it is in the main clause of its sentence, or coordinated with it."""


@dataclass(frozen=True, slots=True)
class Company:
    """Another person who appears with the character."""

    other: str
    together: int
    """Paragraphs that mention both."""
    deeds: int
    """Events in which both take part."""
    spoken: int
    """Quotes that one addresses to the other."""
    chapters: tuple[int, ...]
    """Chapters in which both are mentioned, counted from 0."""
    weight: float


@dataclass(frozen=True, slots=True)
class StoryPresence:
    chapters: tuple[int, ...]
    """Chapters that mention the character, counted from 0."""
    by_chapter: tuple[int, ...]
    """Number of mentions in each of `chapters`."""
    first: Citation
    """The first sentence that names the character."""
    last: Citation
    share: float
    """Share of the book's chapters so far."""
    rank: int
    """Rank in the cast by mentions, from 1."""


@dataclass(frozen=True, slots=True)
class BookThird:
    """The first or the last third of the available chapters."""

    chapters: tuple[int, ...]
    mentions: int
    company: tuple[Company, ...]
    names: tuple[str, ...]
    """Names used there and not in the other part, for example a married name."""
    qualities: tuple[Quality, ...]
    """Qualities stated there and not in the other part."""
    deeds: tuple[Deed, ...]
    """The events with the highest weights there."""


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
    """Share of all words spoken in the book."""
    listeners: tuple[tuple[str, int], ...]
    """Ids with the number of quotes addressed to them, most first."""
    words_of_theirs: tuple[str, ...]
    """Lemmas that they use more than others do, most distinctive first."""
    longest: Citation | None = None


@dataclass(frozen=True, slots=True)
class Dossier:
    """Everything that the gate allows to be known about one character, most distinctive first, events in
    story order.
    """

    character: str
    ties: tuple[Tie, ...]
    roles: tuple[CharacterRole, ...]
    qualities: tuple[Quality, ...]
    deeds: tuple[Deed, ...]
    company: tuple[Company, ...]
    presence: StoryPresence
    change: StoryChange | None
    """None if there is too little of the book, or of the character, to compare."""
    speech: SpeechCounts
    narrates: bool = False
    portrait: tuple[Stroke, ...] = ()
    """What they look like and are like in the book's own phrases, most distinctive first."""
    attitudes: tuple[Attitude, ...] = ()
    """Their attitudes towards others and those of others towards them, most certain first."""
