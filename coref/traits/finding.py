"""Extracts traits from the parse of a book: what characters do, undergo, are, have, and are to each other.

Nothing is inferred. Each trait is one place in the text. It records whether it is denied, only possible or
part of direct speech.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from books.types import Book, Span
from coref.language.factuality import Mood, Moods, denied_thing
from coref.language.parsed_sentence import ParsedSentence
from coref.language.predicates import PredicateFrame, Subjects
from coref.language.syntax import Parse
from coref.language.word_lists import table, words
from coref.traits.relation_phrases import relation_of, ties
from coref.traits.word_owners import SpokenStretches, WordOwners, people_of
from coref.types import Annotations, Trait, TraitKind

LONGEST = 1_000
"""Maximum number of words in a sentence. Anything longer is no sentence, and is skipped."""
_BEFORE_NOUN = ("amod", "compound", "nummod")
_BEFORE_ADJECTIVE = ("advmod",)
_ASSERTED = Mood()


def find_traits(book: Book, parse: Parse, annotations: Annotations) -> tuple[Trait, ...]:
    """Return the traits in story order, one for each character, kind and place."""
    people, speech = people_of(parse, annotations), SpokenStretches(annotations.quotes)
    found: dict[tuple[str, TraitKind, Span], Trait] = {}
    for first, end in parse.sentences:
        if end - first <= LONGEST and any(i in people.who for i in range(first, end)):
            sentence = ParsedSentence(book.text, parse, first, end)
            for trait in _TraitReader(sentence, people, speech).traits():
                found.setdefault((trait.character, trait.kind, trait.span), trait)
    return tuple(sorted(found.values(), key=lambda t: (t.span, t.character, t.kind, t.lemma)))


class _TraitReader:
    """Reads the traits of one sentence."""

    def __init__(self, sentence: ParsedSentence, people: WordOwners, speech: SpokenStretches) -> None:
        self._s = sentence
        self._people = people
        self._who = people.who
        self._speech = speech
        self._moods = Moods(sentence, speech.at)
        self._subjects = Subjects(sentence, people.who)
        self._tied: set[int] = set()
        """Nouns that have been yielded as relations."""

    def traits(self) -> Iterator[Trait]:
        """Yield the surest traits first, because the first one found for a place counts."""
        for tie in ties(self._s, self._people):
            yield from self._tie(
                tie.word, tie.kind, tie.lemma, tie.holder, tie.owner, predicate=tie.predicate
            )
        for deed in self._subjects.deeds():
            yield from self._deed(deed)
        for word in self._s:
            if word in self._who:
                yield from self._around(word, self._who[word])

    def _trait(
        self, who: str, kind: TraitKind, span: Span, lemma: str, mood: Mood, *, other: str | None = None
    ) -> Trait:
        return Trait(
            character=who,
            kind=kind,
            span=span,
            lemma=lemma,
            other=other if other != who else None,
            negated=mood.negated,
            modal=mood.modal,
            tense=mood.tense,
            quoted=self._speech.at(span.start),
        )

    def _tie(
        self, n: int, kind: TraitKind, lemma: str, holder: str | None, owner: str | None, *, predicate: bool
    ) -> Iterator[Trait]:
        mood = self._moods.of(n) if predicate else _ASSERTED
        span = self._s.phrase(n, *_BEFORE_NOUN)
        if holder is not None:
            yield self._trait(holder, kind, span, lemma, mood, other=owner)
        elif owner is not None and not predicate:
            yield self._trait(owner, TraitKind.HAS, span, lemma, self._thing(n))

    def _thing(self, n: int) -> Mood:
        return Mood(negated=denied_thing(self._s, n))

    # Predicates

    def _deed(self, deed: PredicateFrame) -> Iterator[Trait]:
        s, p = self._s, deed.word
        if s.tag(p) != "VERB" or s.kids(p, "cop"):
            yield from self._being(deed)
            return
        mood = self._moods.of(p)
        span, lemma = self._verb(p)
        if s.lemma(p) in words("having_verbs") and not deed.passive:
            yield from self._having(deed, mood)
            return
        doers, victims = (deed.agents, deed.subjects) if deed.passive else (deed.subjects, deed.objects)
        if deed.passive:
            victims = [*victims, *deed.objects]
        if not self._hollow(p):
            beside = [*victims, *self._met(p)]
            for who in doers:
                other = next((o for o in beside if o != who), None)
                yield self._trait(who, TraitKind.DOES, span, lemma, mood, other=other)
        for who in victims:
            other = next((d for d in doers if d != who), None)
            yield self._trait(who, TraitKind.UNDERGOES, span, lemma, mood, other=other)

    def _verb(self, p: int) -> tuple[Span, str]:
        """Return the verb with its particle: `gave up`."""
        s = self._s
        particle = s.kid(p, "compound:prt")
        if particle is None:
            return s.span(p, p), s.lemma(p)
        return s.span(p, particle if particle == p + 1 else p), f"{s.lemma(p)} {s.word(particle)}"

    def _hollow(self, p: int) -> bool:
        return self._s.lemma(p) in words("hollow_verbs")

    def _met(self, p: int) -> list[str]:
        """Return the people that a predicate takes with a preposition: "spoke to Anna"."""
        s = self._s
        return [self._who[k] for k in s.kids(p, "obl") if k in self._who and s.case(k) != "of"]

    def _being(self, deed: PredicateFrame) -> Iterator[Trait]:
        """Read "was proud", "seemed a fool" and "was the master", but not "was in the garden"."""
        s, p = self._s, deed.word
        linked = s.kids(p, "cop") or s.relation(p) in ("xcomp", "conj", "acl:relcl")
        if not linked or s.tag(p) not in ("ADJ", "NOUN") or s.case(p) is not None:
            return
        for who in deed.subjects:
            yield from self._is(who, p, self._moods.of(p))

    def _is(self, who: str, p: int, mood: Mood) -> Iterator[Trait]:
        s = self._s
        if s.tag(p) == "ADJ":
            if s.lemma(p) not in words("hollow_adjectives"):
                yield self._trait(who, TraitKind.IS, s.phrase(p, *_BEFORE_ADJECTIVE), s.lemma(p), mood)
            return
        if not self._owned(p) and s.lemma(p) not in words("hollow_things"):
            yield self._trait(who, TraitKind.IS, s.phrase(p, *_BEFORE_NOUN), s.lemma(p), mood)
        if s.lemma(p) in _nouns_for_people():
            yield from self._qualities(who, p, mood)

    def _owned(self, n: int) -> bool:
        """Return whether a noun is a relation with an owner, such as somebody's sister."""
        s = self._s
        return relation_of(s.lemma(n)) is not None and any(
            k in self._people.mentioned for k in s.kids(n, "nmod:poss", "nmod")
        )

    def _qualities(self, who: str, n: int, mood: Mood) -> Iterator[Trait]:
        """Read "the proud and lonely man"."""
        s = self._s
        for k in s.kids(n, "amod")[:8]:
            for adjective in (k, *s.kids(k, "conj")[:4]):
                if s.tag(adjective) == "ADJ" and s.lemma(adjective) not in words("hollow_adjectives"):
                    span = s.phrase(adjective, *_BEFORE_ADJECTIVE)
                    yield self._trait(who, TraitKind.IS, span, s.lemma(adjective), mood)

    # Having

    def _having(self, deed: PredicateFrame, mood: Mood) -> Iterator[Trait]:
        s = self._s
        things = [t for k in s.kids(deed.word, "obj")[:8] for t in (k, *s.kids(k, "conj")[:8])]
        for thing in things:
            for who in deed.subjects:
                denied = denied_thing(s, thing) and not mood.negated
                now = Mood(mood.negated or denied, mood.modal, mood.tense)
                yield from self._has(who, thing, now)

    def _has(self, who: str, n: int, mood: Mood) -> Iterator[Trait]:
        s = self._s
        if s.tag(n) != "NOUN" or s.lemma(n) in words("hollow_things"):
            return
        related = relation_of(s.lemma(n))
        span = s.phrase(n, *_BEFORE_NOUN)
        holder = self._who.get(n)
        if related is not None and holder is not None and holder != who:
            self._tied.add(n)
            yield self._trait(holder, related[0], span, related[1], mood, other=who)
        else:
            yield self._trait(who, TraitKind.HAS, span, related[1] if related else s.lemma(n), mood)

    # Around a mention

    def _around(self, word: int, who: str) -> Iterator[Trait]:
        s = self._s
        yield from self._qualities(who, word, _ASSERTED)
        if word in self._people.named_by_noun and self._is_informative(word):
            yield self._trait(who, TraitKind.IS, s.phrase(word, *_BEFORE_NOUN), s.lemma(word), _ASSERTED)
        for k in s.kids(word, "appos")[:8]:
            yield from self._apposition(who, k)
        for k in s.kids(word, "nmod"):
            if s.case(k) == "with":
                yield from self._has(who, k, self._thing(k))
        above = s.head(word)
        if above is None:
            return
        if s.relation(word) == "appos" and self._who.get(above, who) == who:
            yield from self._apposition(who, above)
        if s.relation(word) in ("nmod:poss", "nmod"):
            yield from self._possession(who, word, above)

    def _is_informative(self, n: int) -> bool:
        """Return whether a noun is informative.

        `the widow` is, `the man` is not, and `her sister` has been yielded as a relation.
        """
        s = self._s
        return (
            s.tag(n) == "NOUN"
            and s.lemma(n) not in table("generic_people")
            and s.lemma(n) not in words("hollow_things")
            and not self._owned(n)
            and n not in self._tied
        )

    def _apposition(self, who: str, n: int) -> Iterator[Trait]:
        """Read the apposition in "Tom, a clever boy,", unless it is another name or somebody else."""
        if self._s.tag(n) in ("NOUN", "ADJ") and self._who.get(n, who) == who and not self._s.case(n):
            yield from self._is(who, n, self._thing(n))

    def _possession(self, who: str, word: int, n: int) -> Iterator[Trait]:
        """Read "her eyes" and "the eyes of Anna". Kin and friends are relations instead."""
        s = self._s
        if relation_of(s.lemma(n)) is not None:
            return
        if s.relation(word) == "nmod:poss" or (
            s.case(word) == "of" and s.lemma(n) in words("parts_of_people")
        ):
            yield from self._has(who, n, self._thing(n))


@cache
def _nouns_for_people() -> frozenset[str]:
    """Return nouns for people. An adjective of such a noun describes a person."""
    keys = [key for name in ("generic_people", "roles", "kin", "more_kin", "social") for key in table(name)]
    return frozenset(keys)
