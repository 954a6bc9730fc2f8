"""Events of a character: what they do, feel and undergo, each weighed by how relevant it is to a reader."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from coref.language.parsed_sentence import ParsedSentence
from coref.language.predicates import OBJECTS, SUBJECTS
from coref.types import MentionKind, Tense, Trait, TraitKind
from generation.lexicon import rows, words
from generation.story.indexed_book import LONGEST, IndexedBook
from generation.story.types import Deed, DeedKind

MOST = 480
"""Events that are kept for one character."""
LEAST = 1.0
"""Weight below which an event is not worth telling."""
_MIND, _SPEECH, _PLAIN = 0.8, 0.2, 0.0
_ARGUMENTS = (
    "obj",
    "iobj",
    "obl",
    "obl:agent",
    "xcomp",
    "ccomp",
    "nmod",
    "conj",
    "compound:prt",
    "obl:unmarked",
)
_FARTHEST = 4
"""Steps from a verb down to words of its clause."""
_MAIN = frozenset(("root", "conj", "parataxis"))
_SAME_CHAPTER = 0.35
_RETURNS = 4
"""Times that a book repeats an event of the same two, beyond which it adds nothing."""
_LONG = 45
"""Words of a sentence from which a part of it is hard to tell alone."""


@dataclass(frozen=True, slots=True)
class _EventSight:
    """A candidate event, before it is decided whether it is kept."""

    trait: Trait
    word: int
    weight: float
    chapter: int
    others: tuple[str, ...]
    event: bool
    main: bool


class CharacterEvents:
    """The events of characters in one book. The verbs of all characters are counted once."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading

    @cached_property
    def _cast(self) -> Counter[str]:
        done = (t.lemma for t in self._r.annotations.traits if t.kind is TraitKind.DOES)
        return Counter(done)

    def of(self, character: str) -> tuple[Deed, ...]:
        """Return the events with the highest weights, spread over the story, in story order."""
        traits = [t for t in self._r.traits_of(character) if t.kind in (TraitKind.DOES, TraitKind.UNDERGOES)]
        again: Counter[tuple[str, str | None]] = Counter((t.lemma, t.other) for t in traits if t.other)
        rough = sorted(((self._rough(t, again), t) for t in traits), key=lambda pair: -pair[0])
        seen = (self._sight(t, weight) for weight, t in rough[: 2 * MOST] if weight >= LEAST / 2)
        by_word: dict[int, _EventSight] = {}
        for sight in seen:
            if sight is not None and sight.weight >= LEAST:
                held = by_word.setdefault(sight.word, sight)
                if sight.weight > held.weight:
                    by_word[sight.word] = sight
        kept = _spread(list(by_word.values()))
        return tuple(self._deed(sight) for sight in sorted(kept, key=lambda sight: sight.word))

    def _rough(self, t: Trait, again: Counter[tuple[str, str | None]]) -> float:
        """Return a first weight by verb, people involved and mood, before the sentence is parsed."""
        verb = t.lemma.split()[0]
        weight = _weights().get(t.lemma, _weights().get(verb, _kind_weight(verb)))
        weight += 0.9 * (t.other is not None)
        weight += 0.25 * min(math.log1p(len(self._cast) / (1 + self._cast[t.lemma])), 4.0)
        weight += 0.2 * min(again[t.lemma, t.other] - 1, _RETURNS) if t.other else 0.0
        weight -= 0.8 * t.quoted + 0.9 * (t.modal is not None) + 0.3 * t.negated
        weight += 0.3 * (t.tense is Tense.PAST) - 1.5 * (verb in words("gestures") or verb in _stage())
        return weight - 0.4 * (t.kind is TraitKind.UNDERGOES and t.other is None)

    def _sight(self, t: Trait, weight: float) -> _EventSight | None:
        r = self._r
        word = r.word_at(t.span.start)
        s = r.sentence_of(word)
        if s.end - s.first > LONGEST:
            return None
        clause = list(_clause(s, word))
        others = self._others(t, clause)
        event = bool(r.parse.events[word])
        main = self._main(s, word)
        said = {s.lemma(i) for i in clause}
        weight += 0.4 * event + 0.5 * main + 0.7 * bool(said & words("matters"))
        weight += 0.25 * (len(others) > 1) - self._doubt(s, word)
        weight -= 1.0 * bool(said & words("gestures")) + 0.5 * (len(clause) < 2)
        weight -= 0.6 * bool({s.word(i) for i in clause} & words("opaque"))
        weight -= 0.02 * max(0, s.end - s.first - _LONG)
        return _EventSight(t, word, round(weight, 3), self._chapter(t.span.start), others, event, main)

    def _deed(self, sight: _EventSight) -> Deed:
        t = sight.trait
        return Deed(
            word=sight.word,
            lemma=t.lemma,
            kind=_kind(t),
            subject=t.character if t.kind is TraitKind.DOES else t.other,
            others=sight.others,
            chapter=sight.chapter,
            citation=self._r.cite(t.span.start),
            weight=sight.weight,
            tense=t.tense,
            negated=t.negated,
            modal=t.modal,
            quoted=t.quoted,
            speaker=self._r.speaker_at(t.span.start),
            event=sight.event,
            main=sight.main,
        )

    def _chapter(self, offset: int) -> int:
        return max(0, bisect_right(self._chapters, offset) - 1)

    @cached_property
    def _chapters(self) -> list[int]:
        return [chapter.span.start for chapter in self._r.book.chapters]

    def _others(self, t: Trait, clause: list[int]) -> tuple[str, ...]:
        met = [who for i in clause if (who := self._r.who(i)) is not None and who != t.character]
        return tuple(dict.fromkeys([*([t.other] if t.other else []), *met]))

    def _main(self, s: ParsedSentence, word: int) -> bool:
        """Whether it is the main clause of the sentence, or of what somebody says in it."""
        at: int | None = word
        while at is not None and s.relation(at) in ("conj", "xcomp"):
            at = s.head(at)
        return at is None or s.relation(at) in _MAIN or s.head(at) is None

    def _doubt(self, s: ParsedSentence, word: int) -> float:
        """Return a penalty that grows with the uncertainty of the people around the verb. A name
        reduces it.
        """
        around = [m for k in s.kids(word, *SUBJECTS, *OBJECTS) if (m := self._r.meant.get(k)) is not None]
        named = any(m.kind is MentionKind.PROPER for m in around)
        return 2.0 * (1 - min((m.confidence for m in around), default=0.8)) - 0.3 * named


def _clause(s: ParsedSentence, word: int) -> Iterator[int]:
    """Yield the words that belong to a verb's clause, without its subject."""
    waiting = [(word, 0)]
    while waiting:
        at, depth = waiting.pop(0)
        for kid in s.kids(at, *_ARGUMENTS):
            if s.relation(kid) == "conj" and s.tag(kid) == "VERB":
                continue
            yield kid
            yield from s.kids(kid, "nmod:poss", "det", "amod")
            if depth < _FARTHEST:
                waiting.append((kid, depth + 1))


def _spread(deeds: list[_EventSight]) -> list[_EventSight]:
    """Return the best events. Each further one of the same chapter counts for less."""
    by_chapter: dict[int, list[_EventSight]] = {}
    for deed in sorted(deeds, key=lambda d: (-d.weight, d.word)):
        by_chapter.setdefault(deed.chapter, []).append(deed)
    ranked = [(d.weight - _SAME_CHAPTER * i, d) for of in by_chapter.values() for i, d in enumerate(of)]
    return [deed for _, deed in sorted(ranked, key=lambda pair: (-pair[0], pair[1].word))[:MOST]]


def _kind(t: Trait) -> DeedKind:
    verb = t.lemma.split()[0]
    if t.kind is TraitKind.UNDERGOES:
        return DeedKind.UNDERGONE
    if verb in words("says"):
        return DeedKind.SPEECH
    return DeedKind.MIND if verb in words("thinks") else DeedKind.DEED


def _kind_weight(verb: str) -> float:
    return _MIND if verb in words("thinks") else _SPEECH if verb in words("says") else _PLAIN


@cache
def _weights() -> dict[str, float]:
    """Return the weight of each verb. Of a verb that is listed twice the higher one counts."""
    found: dict[str, float] = {}
    for weight, *verbs in rows("deeds"):
        for verb in verbs:
            found[verb] = max(float(weight), found.get(verb, 0.0))
    return found


@cache
def _stage() -> frozenset[str]:
    """Return verbs for what people do on every page."""
    return words("stage_business")
