"""What a book says about one character: ties, counts and the card, each with its citations."""

from __future__ import annotations

from dataclasses import dataclass

from coref.doubtful_people import DoubtfulPerson
from generation.story.quotation import Quotation
from generation.types import Citation

Citations = tuple[Citation, ...]
"""In story order."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation. If Jane's tie is `sister` with other=Elizabeth, Jane is Elizabeth's sister."""

    subject: str
    term: str
    """The plainest noun for it in the character's gender: `mother`, never `mamma` or `parent`."""
    other: str
    family: bool = False
    certainty: float = 1.0
    """The probability that the book says this of these people."""
    places: Citations = ()
    qualifier: str | None = None
    """`eldest`, `intimate`, `late`: an adjective that the book itself puts before the term."""

    @property
    def predicate(self) -> str:
        """In plain form: `eldest daughter`."""
        return " ".join(filter(None, (self.qualifier, self.term)))


@dataclass(frozen=True, slots=True)
class Company:
    """How two people appear together."""

    one: str
    other: str
    together: int
    """Paragraphs that mention both."""
    spoken: int
    """Quotes that one addresses to the other."""
    weight: float
    chapters: tuple[int, ...]
    """Chapters of these paragraphs and quotes, counted from 0."""


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
class Change:
    """What the book says of a character in the first and in the last third of their chapters."""

    early: Quotation
    late: Quotation


@dataclass(frozen=True, slots=True)
class WhoLine:
    """One line that says who a character is, and its places. Empty if the book says too little."""

    text: str
    places: Citations


@dataclass(frozen=True, slots=True)
class Profile:
    """The card of a character, from what a reader has read: quotations and certain ties with places."""

    character: str
    who: str
    """One line that says who they are. Empty if the book says too little."""
    who_places: Citations
    ties: tuple[Tie, ...]
    """Nearest first."""
    role: tuple[Quotation, ...]
    looks: tuple[Quotation, ...]
    """Looks and circumstances."""
    nature: tuple[Quotation, ...]
    said_by_others: tuple[Quotation, ...]
    turning_points: tuple[Quotation, ...]
    """In story order."""
    change: Change | None
    """None if too few chapters tell of the character."""
    own_words: tuple[Quotation, ...]
    little: bool
    """Whether the book says too little for more than a sentence or two."""
    presence: StoryPresence
    company: tuple[Company, ...]
    speech: SpeechCounts
    narrates: bool = False
    doubtful: DoubtfulPerson | None = None
    """Set if this may not be one person at all."""
