"""Answers about characters: their text, their evidence, and whether the book supports them."""

from __future__ import annotations

import json
from dataclasses import asdict, astuple, dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from operator import add
from typing import Final

from books.types import Book, Span
from coref.chinese.lexicon import is_traditional
from coref.types import Annotations, Character
from retrieval.types import AnsweringPlace, EventSentence, Passage, TellingSentence
from retrieval.types import Category as Category

LEAST_DECIDED: Final = 1 / 3
"""Minimum share of an answer's facts that must be decided, or else the answer has no score."""


class Task(StrEnum):
    DESCRIPTION = "description"
    ANALYSIS = "analysis"
    JOINT = "joint"
    SUMMARY = "summary"
    """Of the book, or of one chapter."""
    RECAP = "recap"
    """The story so far, for a reader who goes on."""
    QUESTION = "question"
    """The answer to a reader's question."""


_SAMPLE: Final = 20_000
"""Characters at the beginning of a book that show its script."""


class AnswerLanguage(StrEnum):
    """The languages in which answers are written."""

    ENGLISH = "en"
    CHINESE = "zh"
    """In simplified characters."""
    TRADITIONAL = "zh-Hant"
    """Chinese in traditional characters."""

    @classmethod
    def of(cls, book: Book) -> AnswerLanguage:
        """Return the language of a book, or English if no answers are written in it."""
        if book.language == cls.CHINESE and is_traditional(book.text[:_SAMPLE]):
            return cls.TRADITIONAL
        return cls(book.language) if book.language in list(cls) else cls.ENGLISH

    @property
    def is_chinese(self) -> bool:
        return self is not AnswerLanguage.ENGLISH

    @property
    def spoken(self) -> str:
        """The language without its script, as `books.languages` names it."""
        return self.value.partition("-")[0]


CHARACTERS: Final = 2
"""Chinese characters that say as much as an English word."""

PORTRAITS: Final = (Task.DESCRIPTION, Task.ANALYSIS, Task.JOINT)
"""The tasks that are about people."""
STORIES: Final = (Task.SUMMARY, Task.RECAP)
"""The tasks that are about the story."""


class Strategy(StrEnum):
    """Which part of the book a language model is shown."""

    RETRIEVE = "retrieve"
    """Passages found by a retriever."""
    LEAD = "lead"
    """The beginning, as far as there is room."""
    HIERARCHICAL = "hierarchical"
    """The whole book in parts. The texts written about the parts are then merged."""
    INCREMENTAL = "incremental"
    """Part by part: each brings the summary up to date. Only for summaries."""
    RANKED = "ranked"
    """The whole book in parts, of whose texts the best supported are kept. Only for summaries."""
    NO_CONTEXT = "no-context"
    """Nothing, so the model uses what it knows from training. The answer is marked as a baseline."""
    SUMMARY = "summary"
    """A summary that comes with the request."""


IN_PARTS: Final = (Strategy.HIERARCHICAL, Strategy.INCREMENTAL, Strategy.RANKED)
"""The strategies that read a book in parts. The story is told with them."""


@dataclass(frozen=True, slots=True)
class Context:
    """The book and its annotations, cut at the spoiler gate, and the people that a text is about."""

    book: Book
    annotations: Annotations
    people: tuple[Character, ...] = ()
    """One, except in a joint task."""
    upto: int | None = None
    """The gate, as an offset; None for the whole book."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything that a generator may use."""

    task: Task
    context: Context
    passages: tuple[Passage, ...] = ()
    """In story order. For `hierarchical`, all passages of the book."""
    strategy: Strategy = Strategy.RETRIEVE
    summary: str | None = None
    """Replaces the book if the strategy is `summary`."""
    cast_list: bool = False
    """Whether the instructions name the main cast."""
    telling: tuple[TellingSentence, ...] = ()
    """Sentences about the people, with scores, in story order; for a generator that quotes the book."""
    events: tuple[EventSentence, ...] = ()
    """Sentences that tell what happens, in story order; for a generator that quotes the book."""
    chapter: int | None = None
    """The chapter that a summary is of, counted from 0; None for all."""
    question: str | None = None
    language: AnswerLanguage = AnswerLanguage.ENGLISH
    """In which the answer is to be written."""
    places: tuple[AnsweringPlace, ...] = ()
    """Places that may answer the question, the likeliest first; for a generator that quotes the book."""


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    words: int = 90
    seed: int = 0
    temperature: float = 0.4
    tokens: int | None = None
    """Token budget. A call that would exceed it is not made."""
    chunk: int | None = None
    """Tokens of the book that a summary reads at once; None for as many as there is room for."""
    candidates: int = 1
    """Texts that are written on each part, of which the best is taken. Only for the strategy `ranked`."""
    spent: int = 0
    """Tokens of the budget that were used before, by attempts at the same job that broke off."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A span of the book that supports a sentence."""

    span: Span
    chapter: int
    """Counted from 0."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Cost of an answer: tokens, calls and time."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True)
class Plan:
    """Maximum cost of an answer, estimated before it is generated."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    kept: Usage = Usage()
    """What the texts have cost that are kept from before. They cost nothing now."""

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Plan) -> Plan:
        return Plan(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.kept + other.kept,
        )

    def less(self, done: Plan) -> Plan:
        """Return what is left when so much is done."""
        return Plan(
            max(0, self.calls - done.calls),
            max(0, self.prompt_tokens - done.prompt_tokens),
            max(0, self.completion_tokens - done.completion_tokens),
            done.kept,
        )


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """A span that refers to a character, in a claim's text or in the book."""

    span: Span
    character: str


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact that a sentence was composed from, as its writer knows it. It need not be extracted again."""

    text: str
    """Understandable without context: it has names in place of pronouns."""
    category: Category
    span: Span
    """Its span in the sentence's text."""
    subject: str
    people: tuple[NamedSpan, ...] = ()
    """Spans into `text`."""
    citations: tuple[Citation, ...] = ()
    quoted: bool = False
    """Whether the text is a quotation: it stands word for word at the places cited."""


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    citations: tuple[Citation, ...]
    """If empty, no evidence was found in the book, and the sentence is shown as unsupported."""
    heading: str | None = None
    """Opens a section with this heading."""
    characters: tuple[str, ...] = ()
    """Ids of the characters it is about."""
    stated: tuple[StatedFact, ...] = ()
    """The facts it was composed from, if the writer knows them. They are not stored with an answer."""
    offered: tuple[Citation, ...] = ()
    """Passages that its writer cites besides, which may not bear it out. Only the check reads them."""
    remark: bool = False
    """Whether it has no facts to be checked, such as a quotation that tells the story."""
    line: bool = False
    """Whether it begins a line of its own, as in a list."""

    @property
    def unread(self) -> bool:
        """Whether its facts are still to be found in its words."""
        return bool(self.text.strip()) and not self.stated and not self.remark


@dataclass(frozen=True, slots=True)
class Draft:
    sentences: tuple[Sentence, ...]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()
    """Remarks on how it was written, such as repeated requests or omitted passages."""
    kept: Usage = Usage()
    """What the texts had cost that were kept from before. They are not part of `usage`."""

    @property
    def text(self) -> str:
        return " ".join(s.text for s in self.sentences)


@dataclass(frozen=True, slots=True)
class Claim:
    """One proposition, with a name in place of the first pronoun that means whom the text is about."""

    text: str
    category: Category
    sentence: int
    """Index of its sentence in the draft."""
    span: Span
    """Its span in the text of that sentence."""
    subject: str | None
    """Id of the character it is about."""
    citations: tuple[Citation, ...] = ()
    """The places of the book from which the sentence was composed."""
    people: tuple[NamedSpan, ...] = ()
    """The people named or meant in the claim's text, as spans into it."""
    quoted: bool = False
    """Whether its text stands word for word in the book, at the place that it cites."""


class Label(StrEnum):
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class Verdict:
    label: Label
    score: float
    """The judge's certainty of the label, from 0 to 1."""
    evidence: tuple[Citation, ...]
    judge: str
    note: str | None = None
    """The reason, if the judge could not decide."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim with its verdict."""

    claim: Claim
    verdict: Verdict
    overruled: Label | None = None
    """A reader's label, which counts in place of the verdict's."""

    @property
    def label(self) -> Label:
        return self.overruled or self.verdict.label


@dataclass(frozen=True, slots=True)
class Compared:
    """Counts from the comparison of an answer with a reference text."""

    borne_out: int
    """Facts of the answer that the reference supports."""
    said: int
    """Facts of the answer."""
    found: int
    """Facts of the reference that the answer contains."""
    wanted: int
    """Facts of the reference."""

    @property
    def precision(self) -> float | None:
        return self.borne_out / self.said if self.said else None

    @property
    def recall(self) -> float | None:
        return self.found / self.wanted if self.wanted else None

    @property
    def f1(self) -> float | None:
        """None if there is nothing to compare."""
        if self.precision is None or self.recall is None:
            return None
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Reference:
    """The comparison of an answer with a text that is taken to be correct."""

    source: str
    """Author or origin of the text."""
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
    """None if there is no reference text."""
    overruled: int = 0
    """Number of facts whose label comes from a reader and not from the judge."""
    decided: int | None = None
    """Number of facts that are not uncertain; None in answers stored before it was recorded."""

    @property
    def checked(self) -> bool:
        """Whether enough of the facts could be judged for a score."""
        return bool(self.facts) and (self.decided is None or self.decided >= LEAST_DECIDED * self.facts)

    @property
    def precision(self) -> float | None:
        """None if there are no facts, or if too few of them could be judged."""
        return self.supported / self.facts if self.checked else None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Everything that determines an answer. The same provenance gives the same answer."""

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
    """Hash of the prompt templates, or None for a writer without prompts."""
    extractor: str | None = None
    """The extractor of the facts, or None in answers stored before it was recorded."""


@dataclass(frozen=True)
class Request:
    """A request for an answer: the people, the edition of the book, the engines and the options."""

    task: Task
    characters: tuple[str, ...]
    """Ids of the people it is about."""
    limits: AnswerLimits
    provenance: Provenance
    passages: int
    """Maximum number of passages that are retrieved."""
    token_budget: int | None
    """Maximum tokens of the passages; None for as many as there is room for."""
    embedder: str
    bm25: str
    cast_list: bool = False
    summary: str | None = None
    chapter: int | None = None
    """The chapter that a summary is of, counted from 0; None for all."""
    question: str | None = None
    language: AnswerLanguage = AnswerLanguage.ENGLISH

    @cached_property
    def key(self) -> str:
        """Hash of everything that could change the answer, so an answer stored under it is never stale."""
        inputs = asdict(self)
        inputs |= inputs.pop("provenance") | inputs.pop("limits")
        del inputs["spent"]
        if inputs["candidates"] == 1:
            del inputs["candidates"]
        inputs["summary"] = self.summary and sha256(self.summary.encode()).hexdigest()
        if self.language is AnswerLanguage.ENGLISH:
            del inputs["language"]
        for added in ("chapter", "chunk", "question"):
            if inputs[added] is None:
                # Answers stored before this option existed have keys without it.
                del inputs[added]
        if not self.provenance.prompts:
            # Options of a language model do not change what a writer without one writes.
            inputs |= {"temperature": None, "tokens": None}
        return sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class RejectedDraft:
    """A draft that could not be shown and was replaced by another writer's answer."""

    generator: str
    reason: str


@dataclass(frozen=True, slots=True)
class Portrait:
    """An answer: sentences with citations, facts with verdicts, and its provenance."""

    task: Task
    characters: tuple[Character, ...]
    sentences: tuple[Sentence, ...]
    facts: tuple[Fact, ...]
    prisma: Prisma
    provenance: Provenance
    usage: Usage
    notes: tuple[str, ...] = ()
    rejected: RejectedDraft | None = None
    chapter: int | None = None
    """The chapter that a summary is of, counted from 0; None for the book, and if it is about people."""
    question: str | None = None
    kept: Usage = Usage()
    """What the texts on parts had cost that were kept from before. They are not part of `usage`."""

    @property
    def text(self) -> str:
        return " ".join(s.text for s in self.sentences)
