"""What is said of a character, what it rests on, and whether the book bears it out."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256

from books.types import Book, Span
from coref.types import Annotations, Character
from retrieval.types import Passage


class Task(StrEnum):
    DESCRIPTION = "description"
    ANALYSIS = "analysis"
    JOINT = "joint"


class Strategy(StrEnum):
    """What of the book a language model is shown."""

    RETRIEVE = "retrieve"
    """The passages that a retriever finds."""
    LEAD = "lead"
    """The beginning, as much as there is room for."""
    HIERARCHICAL = "hierarchical"
    """All of it, a stretch at a time; what is written of each stretch is then merged."""
    NO_CONTEXT = "no-context"
    """Nothing: what the model knows by heart. A baseline, and marked as one."""
    SUMMARY = "summary"
    """A summary that is given with the question."""


@dataclass(frozen=True, slots=True)
class Context:
    """The book as far as somebody has read it, and the people that a text is about.

    Book and annotations are already cut at the spoiler gate.
    """

    book: Book
    annotations: Annotations
    people: tuple[Character, ...] = ()
    """One, except in a joint task."""
    upto: int | None = None
    """The gate, as an offset; None for the whole book."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """All that a generator may use."""

    task: Task
    context: Context
    passages: tuple[Passage, ...] = ()
    """In story order. For `hierarchical`, all there are."""
    strategy: Strategy = Strategy.RETRIEVE
    summary: str | None = None
    """Stands in for the book with `summary`."""
    cast_list: bool = False
    """Whether the instructions name the main cast."""


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    words: int = 90
    seed: int = 0
    temperature: float = 0.4
    tokens: int | None = None
    """The budget: calls whose tokens would go beyond it are not made."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A stretch of the book that a sentence rests on."""

    span: Span
    chapter: int
    """Counted from 0."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost line."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.calls + other.calls,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """What an answer would cost at most, told before it is begun."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Category(StrEnum):
    """PRISMA's six classes of facts."""

    ROLE = "role"
    RELATIONSHIP = "relationship"
    PERSONALITY = "personality"
    EVENT = "event"
    MENTAL_STATE = "mental_state"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """Somebody stands here: in a claim's text, or in the book."""

    span: Span
    character: str


@dataclass(frozen=True, slots=True)
class StatedFact:
    """One fact that a sentence was composed from, as its writer knows it: nobody has to read it out again."""

    text: str
    """On its own: names in place of pronouns."""
    category: Category
    span: Span
    """Where in the sentence's text it stands."""
    subject: str
    people: tuple[NamedSpan, ...] = ()
    """Spans into `text`."""
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    citations: tuple[Citation, ...]
    """Empty means that nothing in the book was found for it: it is shown as unsupported."""
    heading: str | None = None
    """Opens a section with this heading."""
    characters: tuple[str, ...] = ()
    """Whom it is about, by character id."""
    stated: tuple[StatedFact, ...] = ()
    """What it was composed from, where the writer knows; not kept with an answer: its claims are."""


@dataclass(frozen=True, slots=True)
class Draft:
    sentences: tuple[Sentence, ...]
    generator: str
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()
    """What was done beside writing: asked again, five at a time, passages left out."""

    @property
    def text(self) -> str:
        return " ".join(s.text for s in self.sentences)


@dataclass(frozen=True, slots=True)
class CountedClaim:
    """A claim about the book's shape ("appears in 14 of 16 chapters"), and what counting gives."""

    said: str
    found: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One proposition that can be understood on its own: names in place of pronouns."""

    text: str
    category: Category
    sentence: int
    """Which sentence of the draft it came from."""
    span: Span
    """Where in that sentence's text it stands."""
    subject: str | None
    """The id of the character it is about."""
    citations: tuple[Citation, ...] = ()
    """Provenance: what the sentence was composed from."""
    people: tuple[NamedSpan, ...] = ()
    """Who is named in the claim's text: spans into it."""
    counted: CountedClaim | None = None
    """For what can be settled by counting and not by reading."""
    composed: bool = False
    """Its writer composed it from the sentences it cites, and said whom it means."""


class Label(StrEnum):
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class Verdict:
    label: Label
    score: float
    """0 to 1: how sure the judge is of the label."""
    evidence: tuple[Citation, ...]
    judge: str
    note: str | None = None
    """Why it is no more than that, where the judge could not do its work."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim and what came of checking it."""

    claim: Claim
    verdict: Verdict
    overruled: Label | None = None
    """What a reader says of it; it counts in the verdict's stead."""

    @property
    def label(self) -> Label:
        return self.overruled or self.verdict.label


@dataclass(frozen=True, slots=True)
class Compared:
    """How many facts of an answer a reference text bears out, and how many of its own the answer has."""

    borne_out: int
    said: int
    found: int
    wanted: int

    @property
    def precision(self) -> float | None:
        return self.borne_out / self.said if self.said else None

    @property
    def recall(self) -> float | None:
        return self.found / self.wanted if self.wanted else None

    @property
    def f1(self) -> float | None:
        """None where there is nothing to compare."""
        if self.precision is None or self.recall is None:
            return None
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Reference:
    """An answer beside a text that somebody holds to be right."""

    source: str
    """Who wrote it, or where it is from."""
    whole: Compared
    by_category: dict[Category, Compared]


@dataclass(frozen=True, slots=True)
class Prisma:
    """Precision of an answer against the book: the share of its facts that are supported."""

    facts: int
    supported: int
    by_category: dict[Category, tuple[int, int]]
    """(supported, all) for each category that occurs."""
    reference: Reference | None = None
    """None where there is no reference text."""
    overruled: int = 0
    """How many of the facts count as a reader says, and not as the judge does."""

    @property
    def precision(self) -> float | None:
        return self.supported / self.facts if self.facts else None


@dataclass(frozen=True, slots=True)
class Provenance:
    """All that went into an answer: the same provenance gives the same answer."""

    text_sha256: str
    resolver: str
    retriever: str
    generator: str
    judge: str
    decisions: int
    """Length of the decision log that was replayed."""
    upto: int | None
    seed: int
    strategy: Strategy = Strategy.RETRIEVE
    prompts: str | None = None
    """Hash of the prompt templates; None for a writer that has none."""
    extractor: str | None = None
    """Who found the facts; None for answers from before that was said."""


@dataclass(frozen=True)
class Request:
    """What was asked about which edition of a book, and which engines answer."""

    task: Task
    characters: tuple[str, ...]
    """The ids of the people asked about."""
    limits: AnswerLimits
    provenance: Provenance
    passages: int
    """Most passages that are retrieved."""
    token_budget: int
    embedder: str
    bm25: str
    cast_list: bool = False
    summary: str | None = None

    @cached_property
    def key(self) -> str:
        """A hash of everything that could change the answer, so an answer stored under it is never stale."""
        inputs = asdict(self)
        inputs |= inputs.pop("provenance") | inputs.pop("limits")
        inputs["summary"] = self.summary and sha256(self.summary.encode()).hexdigest()
        if not self.provenance.prompts:
            # Options of a language model do not change what a writer without one writes.
            inputs |= {"temperature": None, "tokens": None}
        return sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class RejectedDraft:
    """A draft that was not fit to be shown, so that another writer's answer stands in its place."""

    generator: str
    reason: str


@dataclass(frozen=True, slots=True)
class Portrait:
    """An answer: sentences with citations, facts with verdicts, and where all of it came from."""

    task: Task
    characters: tuple[Character, ...]
    sentences: tuple[Sentence, ...]
    facts: tuple[Fact, ...]
    prisma: Prisma
    provenance: Provenance
    usage: Usage
    notes: tuple[str, ...] = ()
    rejected: RejectedDraft | None = None

    @property
    def text(self) -> str:
        return " ".join(s.text for s in self.sentences)
