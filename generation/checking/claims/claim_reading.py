"""Read claims from parsed sentences: their clauses, as text that stands alone."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from books.types import Span, has_words
from coref.language.parsed_sentence import ParsedSentence
from coref.protocols import ParsesText
from generation.checking.claims.clause_splitting import SUBJECTS, Clause, clauses
from generation.checking.claims.sentence_claims import CITED
from generation.checking.claims.standalone_wording import ended, worded
from generation.checking.claims.text_pronouns import Discourse, TextPerson, resolved
from generation.lexicon import words
from generation.story.cast import CastIndex
from generation.types import Category, Claim, Context, NamedSpan, Sentence

_SUBORDINATE = words("subordinating")
LONGEST = 120
"""Words of the longest sentence that is split. A longer one is one claim."""
_HALVES = re.compile(
    r"(?<=;)[ ](?=(?:and |but |yet |so )?"
    r"(?:[A-Z]|(?:he|she|they|it|there|the|his|her|their|an?|when|in|as|at)\b))"
)
"""A clause after a semicolon with a beginning of its own is read as a separate sentence."""


class ClaimReader:
    """Reads the claims of one text and remembers who the previous sentences were about."""

    def __init__(self, context: Context, cast: CastIndex) -> None:
        self._context, self._cast = context, cast
        self._names = cast.names
        asked = tuple(TextPerson(c.name, c) for c in context.people)
        self._discourse = Discourse(asked)

    def read(self, sentences: Sequence[tuple[int, Sentence]], parser: ParsesText) -> Iterator[Claim]:
        """Yield the claims of sentences, given with their positions in the draft. They are parsed at once."""
        lines = [_bare(s.text) for _, s in sentences]
        text = "\n".join(lines)
        grammar = parser.parse_text(_HALVES.sub("\n", text))
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        for first, end in grammar.sentences:
            parsed = ParsedSentence(text, grammar, first, end)
            number = bisect_right(starts, parsed.start(first)) - 1
            at, sentence = sentences[number]
            yield from self._claims(at, sentence, parsed, text, base=starts[number])

    def _claims(
        self, at: int, sentence: Sentence, s: ParsedSentence, text: str, *, base: int
    ) -> Iterator[Claim]:
        if sentence.characters and (about := self._cast.by_id.get(sentence.characters[0])):
            self._discourse.topic = TextPerson(about.name, about)
        whole = Span(s.start(s.first), s.span(s.end - 1, s.end - 1).end)
        people = resolved(s, self._named(s, text, whole), self._discourse)
        for found in _split(s):
            said, named = worded(s, text, found.words, people, self._names)
            said = said.rstrip(" .!?;:,。！？；：，")
            if not any(c.isalnum() for c in said):
                continue
            subject = self._subject(s, found.words, people, named)
            span = Span(s.start(found.own[0]) - base, s.span(found.own[-1], found.own[-1]).end - base)
            yield Claim(
                text=ended(said),
                category=Category.OTHER,
                sentence=at,
                span=span,
                subject=subject,
                citations=sentence.citations,
                people=tuple(n for n in named if n.span.end <= len(said)),
            )

    def _subject(
        self,
        s: ParsedSentence,
        clause: Sequence[int],
        people: dict[int, TextPerson],
        named: Sequence[NamedSpan],
    ) -> str | None:
        """Return the id of the subject of the clause's main predicate."""
        subjects = [i for i in clause if s.relation(i) in SUBJECTS]
        main = [i for i in subjects if (head := s.head(i)) is not None and s.relation(head) != "advcl"]
        for i in (*main[:1], *clause[:1]):
            owner = next((k for k in s.kids(i, "nmod:poss") if k in people), None)
            person = people.get(i) or (people[owner] if owner is not None else None)
            if person is not None:
                return person.character.id if person.character else None
        return next((n.character for n in named if not n.span.start), self._topic())

    def _topic(self) -> str | None:
        topic = self._discourse.topic or next(iter(self._discourse.asked), None)
        return topic.character.id if topic and topic.character else None

    def _named(self, s: ParsedSentence, text: str, whole: Span) -> dict[int, TextPerson]:
        """Return who is named by which word: the head of each name in the sentence's grammar."""
        found: dict[int, TextPerson] = {}
        within: set[int] = set()
        starts = [s.start(i) for i in s]
        for named in self._names.find(whole.of(text)):
            low = bisect_left(starts, whole.start + named.span.start)
            high = bisect_left(starts, whole.start + named.span.end)
            name = range(s.first + low, s.first + high)
            within.update(name)
            top = next((i for i in name if s.head(i) not in name), None)
            if top is not None:
                character = self._cast.by_id[named.character]
                found[top] = TextPerson(character.name, character)
        for i in s:
            if i not in within and self._seems_a_name(s, i):
                parts = (i, *s.kids(i, "flat", "compound", "nmod:desc"))
                found[i] = TextPerson(s.span(min(parts), max(parts)).of(text))
        return found

    def _seems_a_name(self, s: ParsedSentence, i: int) -> bool:
        """Whether a word seems to name somebody outside the cast: not "the Board", and not "Brown" at the
        beginning, which the book writes small elsewhere.
        """
        likely = s.relation(i) in SUBJECTS and s.tag(i) in ("PROPN", "INTJ", "X")
        return likely and not s.kids(i, "det") and not has_words(self._context.book.text, s.word(i))


def _split(s: ParsedSentence) -> list[Clause]:
    every = list(s)
    while every and s.tag(every[-1]) == "PUNCT":
        every.pop()
    if not every:
        return []
    one = [Clause(tuple(every), tuple(every))]
    if s.end - s.first > LONGEST:
        return one
    found = clauses(s)
    return found if found and not any(_broken(s, clause) for clause in found) else one


def _broken(s: ParsedSentence, clause: Clause) -> bool:
    """Whether a clause is malformed: the parse went wrong, and the sentence is better left whole."""
    first = clause.words[0]
    hanging = s.word(first) in _SUBORDINATE and not any(
        s.relation(i) in ("root", "conj", "parataxis") for i in clause.words
    )
    return len(clause.words) == 1 or s.tag(first) == "AUX" or hanging


def _bare(text: str) -> str:
    """Return the text on one line without citation markers. Every letter keeps its position."""
    return CITED.sub(lambda m: " " * len(m.group()), text).replace("\n", " ").replace("\r", " ")
